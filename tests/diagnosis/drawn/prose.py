"""Invented passages with a theme: sentences over the words that a theme is written in."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

THEMED = 0.88
"""Share of a passage's telling words that come from its theme; the rest are the domain's."""


@dataclass(frozen=True)
class Domain:
    """What a question is about.

    Args:
        query: The question.
        common: Words that any passage about it may use.
        themes: Words theme by theme, each a different answer.
    """

    query: str
    common: tuple[str, ...]
    themes: tuple[tuple[str, ...], ...]


def _domain(query: str, common: str, *themes: str) -> Domain:
    return Domain(query, tuple(common.split()), tuple(tuple(words.split()) for words in themes))


DOMAINS = (
    _domain(
        "Why do the ferries to the islands arrive late?",
        "ferry island harbour crossing crew timetable passenger quay sailing delay",
        "fog visibility radar horn pilotage mist lookout bank speed haze dusk beacon squall gale "
        "swell forecast barometer cloud drizzle gust",
        "lorry ramp lashing loading deck queue trailer driver ticket booth booking axle marshal "
        "lane stowage manifest weighbridge pallet forklift clearance",
        "engine gearbox bearing lubricant overhaul cylinder injector spare mechanic vibration "
        "exhaust turbocharger gasket shaft drydock coolant filter valve piston alternator",
        "dredger silt tide shoal draught ebb channel sounding sandbar spring buoy keel sediment "
        "survey lowwater estuary mud berth chart slack",
        "strike union roster overtime illness training certificate wage captain shortage leave "
        "agency contract rest retirement recruit tribunal shift fatigue ballot",
    ),
    _domain(
        "Why are the tomatoes in the greenhouse dropping their flowers?",
        "tomato greenhouse flower plant grower truss blossom crop leaf fruit",
        "heat vent shade thermometer noon roof fan louvre scorch whitewash overheating mesh "
        "afternoon glazing sunlamp airflow chimney sweltering temperature blind",
        "nitrogen manure feed fertiliser leafy excess tonic potassium dose label phosphate granule "
        "lush compost runoff conductivity sachet liquid ratio imbalance",
        "bumblebee pollen hive tapping vibration brush insect stamen visit colony nectar pesticide "
        "buzz pollinator anther stigma wand tuning swarm forage",
        "drip hose drought soak saturated irrigation reservoir wilting mulch timer emitter puddle "
        "moisture probe tank gravity barrel leakage rootzone parched",
        "thrips mite mildew botrytis spore virus aphid whitefly trap spray fungus lesion "
        "larva sulphur predator canker hygiene sticky blight",
    ),
    _domain(
        "What makes the nightly backup fail?",
        "backup night job archive restore server administrator retention copy schedule",
        "disk volume quota inode full capacity threshold partition cleanup growth terabyte shelf "
        "snapshot purge compaction alarm expansion watermark bucket overflow",
        "network switch packet timeout latency bandwidth firewall tunnel route jitter duplex cable "
        "gateway congestion handshake port retry throttle mirror subnet",
        "lock transaction database cursor deadlock vacuum replica checkpoint table writer "
        "index commit journal lease session dump schema blocking rollback",
        "certificate credential token expiry vault rotation permission role keytab principal "
        "scope secret policy audit signature renewal denied directory grant",
        "tape robot magazine drive barcode cartridge library gripper cleaning firmware label slot "
        "mount carriage sensor calibration spool eject jam picker",
    ),
    _domain(
        "How did the town pay for the new swimming pool?",
        "town pool council money budget swimming resident vote building cost",
        "loan bond interest lender maturity repayment treasury rating coupon debt instalment bank "
        "creditor principal refinancing covenant yield guarantor ledger tranche",
        "grant ministry subsidy application region programme sport fund approval deadline matching "
        "eligibility audit commission dossier award olympic scheme jury allotment",
        "lottery donor raffle foundation bequest sponsor plaque charity gala pledge patron auction "
        "appeal envelope benefactor concert bazaar collection legacy brick",
        "parcel sale auctioneer depot developer land zoning meadow buyer deed plot surveyor "
        "barracks easement notary valuation acreage freehold lot conveyance",
        "levy parking surcharge tariff licence fee meter tourist overnight rate assessment "
        "property exemption excise duty bracket collector arrears remission",
    ),
    _domain(
        "What damages the old bridge over the gorge?",
        "bridge gorge span stone engineer inspection arch traffic river wall",
        "salt brine deicing chloride rust rebar corrosion stain winter gritting anode spall "
        "cathode coating oxide leach flake galvanic efflorescence",
        "truck axleload overweight convoy lane fatigue crack weld ban detour gauge haulage "
        "impact pothole braking girder deflection escort barrier",
        "scour flood pier gravel footing eddy current debris driftwood torrent caisson riverbed "
        "cofferdam undermining sonar boulder freshet diver rip gauge",
        "ivy root sapling moss lichen seed mortar joint pigeon guano buddleia nest herbicide "
        "crevice stump bramble repointing vine burrow jackdaw",
        "frost thaw expansion ice swelling drainage gutter bearing seam asphalt membrane leak "
        "icicle porous freeze seepage outlet blister heave sealing",
    ),
    _domain(
        "Why did the museum lose visitors?",
        "museum visitor gallery exhibition ticket season curator hall tourist collection",
        "roadworks tram closure diversion platform bus station pedestrian signpost parking bypass "
        "tunnel roundabout excavation commuter rail shuttle timetable bicycle kerb",
        "price rise admission family discount concession pass wallet expensive surcharge voucher "
        "pensioner student coupon complaint free coin fare rebate bundle",
        "website search newsletter campaign poster advert social booking page listing keyword "
        "audience click influencer map review hashtag banner email banner2",
        "heatwave holiday beach rain weather sunshine festival outdoor lake terrace bathing "
        "barbecue picnic summer humidity storm open-air vacation lido forecast",
        "scaffold renovation roof asbestos wing dust plaster closed contractor lift skylight "
        "cordon noise wiring delay tarpaulin restorer hoist render rafters",
    ),
)

SENTENCES = (
    "The {} and its {} point to {}.",
    "After the {} came {}, then {}.",
    "Nobody had expected {} so near the {}.",
    "A {} was found beside the {} by {}.",
    "More {} than {} was counted, says the {}.",
    "Without {} the {} gives {}.",
    "They replaced the {}, moved a {} and measured {}.",
    "It is {}, not {}, that a {} should watch.",
    "Every {} with too much {} ends as {}.",
    "In spring the {} meets {}, which hurts the {}.",
    "Two reports mention {}; one adds {} or {}.",
    "From {} to {} it took one {}.",
)


def passage(
    rng: np.random.Generator, domain: Domain, theme: int, sentences: int | None = None
) -> str:
    """Write a passage on a theme; a theme of -1 mixes all of them."""
    count = int(rng.integers(4, 7)) if sentences is None else sentences
    own = [word for words in domain.themes for word in words]
    own = own if theme < 0 else list(domain.themes[theme])
    return " ".join(
        SENTENCES[int(rng.integers(len(SENTENCES)))].format(*_words(rng, own, domain.common))
        for _ in range(count)
    )


def _words(
    rng: np.random.Generator, own: Sequence[str], common: Sequence[str]
) -> tuple[str, str, str]:
    drawn = rng.choice(len(own), size=3, replace=False)
    first, second, third = (
        own[int(i)] if rng.random() < THEMED else common[int(rng.integers(len(common)))]
        for i in drawn
    )
    return first, second, third


def document(rng: np.random.Generator, domain: Domain, themes: Sequence[int]) -> list[str]:
    """Write a document as a list of sentences, three on each theme in turn."""
    return [passage(rng, domain, theme, sentences=1) for theme in themes for _ in range(3)]


FOREIGN = (
    "Die Fähre fuhr wegen dichten Nebels erst am Mittag; der Kapitän wartete auf bessere Sicht.",
    "El capitán no pudo zarpar porque los camiones tardaron en subir por la rampa del puerto.",
    "Le moteur principal est tombé en panne et la pièce de rechange venait du continent.",
    "潮が引くと港の入口が浅くなるため、船は沖で二時間待たなければならなかった。",
    "Załoga strajkowała przez trzy dni, więc rozkład rejsów został zmieniony w ostatniej chwili.",
    "Паром задержался: на причале проверяли документы каждого пассажира и каждую машину.",
    "A lancha foi desviada para rebocar um veleiro sem leme e chegou já depois do jantar.",
    "De kade werd verbouwd, zodat maar één schip tegelijk kon aanleggen en lossen.",
)
"""Eight causes in eight languages."""

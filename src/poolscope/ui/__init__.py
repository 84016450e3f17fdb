"""The screen: the last layer and the thinnest. Streamlit lives here and nowhere else."""

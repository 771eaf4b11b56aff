"""The dashboard: shows a review, and takes verdicts. Streamlit stays in here; what it shows is decided in ``present``."""

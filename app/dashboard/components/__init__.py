"""What the pages are made of. Recorded text reaches a page only through ``page.show`` (escaped), ``st.code`` and ``textContent``."""

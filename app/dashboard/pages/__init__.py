"""The pages. Each draws what ``present`` says with the ``components``."""

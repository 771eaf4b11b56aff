"""Secrets and personal data in recordings: found, masked, and told by kind, place and a short digest; never by value.

``marks`` what stands in place of a secret · ``scanner`` the rules of vendors' keys · ``numbers`` cards and bank accounts · ``personal`` addresses
and telephone numbers · ``texts`` the texts of a recording · ``masking`` marks in place of secrets · ``guard`` a recording without its secrets ·
``places`` where they stood · ``document`` a file's text as it may be shown.

Reading masks what has a well-known shape, name or place (``reviewlib.redact``). What else is a secret is looked for in the recordings that
are compared or shown: it takes a fourth of the time of reading.
"""

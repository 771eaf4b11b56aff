"""How a report looks: on a screen, light or dark, and on paper. Colour is never the only sign."""

import hashlib
from base64 import b64encode

_LIGHT = (
    "--paper:#fff;--fg:#1b2430;--dim:#596475;--line:#d5dbe3;--ground:#f6f7f9;--accent:#2456a6;"
    "--del-bg:#fbdedb;--del:#7d1610;--ins-bg:#d7f0dd;--ins:#0b4a1e;--move:#4b2a8c;"
    "--behaviour-bg:#fbe4e1;--behaviour:#8f1d14;--request-bg:#fdf0d0;--request:#6b4600;"
    "--cosmetic-bg:#e3edf8;--cosmetic:#27507f;--plain-bg:#e9ecf0;--plain:#4a5564;--dark-bg:#3a2326;--dark:#ffdcd8"
)
_DARK = (
    "--paper:#11151b;--fg:#e3e8ef;--dim:#9ba7b8;--line:#323b48;--ground:#1a2029;--accent:#8db4f2;"
    "--del-bg:#4d1f1d;--del:#ffc9c3;--ins-bg:#173d23;--ins:#bdf0c9;--move:#dccdff;"
    "--behaviour-bg:#55211c;--behaviour:#ffd0ca;--request-bg:#47360f;--request:#ffe2a1;"
    "--cosmetic-bg:#1e3650;--cosmetic:#c5defa;--plain-bg:#2a323d;--plain:#b6c1cf;--dark-bg:#f6d4d0;--dark:#4d1512"
)

STYLE = f"""
:root{{color-scheme:light dark;{_LIGHT}}}
@media (prefers-color-scheme:dark){{:root{{{_DARK}}}}}
*{{box-sizing:border-box}}
body{{margin:0 auto;max-width:1400px;padding:1rem 1.5rem 4rem;background:var(--paper);color:var(--fg);font:15px/1.45 system-ui,sans-serif;overflow-wrap:anywhere}}
h1{{font-size:1.3rem;margin:.5rem 0}}h2{{font-size:1.1rem;margin:1.6rem 0 .4rem}}h3{{font-size:1rem;margin:0 0 .3rem}}h4{{font-size:.9rem;margin:0;padding:.4rem .7rem;border-top:1px solid var(--line)}}
p{{margin:.15rem 0}}a{{color:var(--accent)}}
code{{font:.88em ui-monospace,monospace;unicode-bidi:isolate}}
ul{{margin:.2rem 0;padding-left:1.2rem}}ul.plain{{list-style:none;padding:0}}ul.plain>li{{margin:.15rem 0}}
.dim,.note{{color:var(--dim)}}.note{{border-left:4px solid var(--line);padding-left:.7rem}}
.gate{{border:1px solid var(--line);border-radius:8px;padding:.6rem .9rem;background:var(--ground)}}
.alarm{{border:2px solid var(--behaviour);border-radius:8px;padding:.6rem .9rem;margin-bottom:.8rem}}
.badge{{display:inline-block;border-radius:4px;padding:0 .4rem;font-size:.8rem;font-weight:600;background:var(--plain-bg);color:var(--plain)}}
.behaviour,.flagged,.blocked,.error{{background:var(--behaviour-bg);color:var(--behaviour)}}
.request,.stale,.warning,.approvals{{background:var(--request-bg);color:var(--request)}}
.cosmetic,.info{{background:var(--cosmetic-bg);color:var(--cosmetic)}}
.unreadable{{background:var(--dark-bg);color:var(--dark)}}
.approved,.carried,.resolved{{background:var(--ins-bg);color:var(--ins)}}
section{{border:1px solid var(--line);border-radius:8px;padding:.7rem .9rem;margin:1rem 0}}
section:target{{outline:2px solid var(--accent)}}
del{{background:var(--del-bg);color:var(--del);text-decoration:line-through}}
ins{{background:var(--ins-bg);color:var(--ins);text-decoration:underline;text-underline-offset:2px}}
em{{color:var(--dim)}}
.words{{white-space:pre-wrap;unicode-bidi:plaintext;font:.84rem/1.4 ui-monospace,monospace}}
.grid{{border:1px solid var(--line);border-radius:6px;margin:.5rem 0}}
.row{{display:grid;grid-template-columns:1fr 1fr;border-top:1px solid var(--line)}}
.row.top{{border-top:0;background:var(--ground);color:var(--dim);font-size:.82rem;font-weight:600}}.row.top>div{{padding:.2rem .7rem}}
.cell{{min-width:0;padding:.35rem .7rem;border-left:3px solid transparent}}
.both,.below{{grid-column:1/-1}}.below{{padding:.1rem .7rem .4rem}}
.same{{color:var(--dim)}}details.same{{border-top:1px solid var(--line);padding:.3rem .7rem;font-size:.88rem}}
summary{{cursor:pointer}}:is(a,summary):focus-visible{{outline:2px solid var(--accent);outline-offset:2px}}
.changed>.cell{{border-left-color:var(--request)}}
.removed>.cell.baseline{{border-left-color:var(--del)}}.removed>.cell.baseline .step b{{text-decoration:line-through}}
.added>.cell.head{{border-left-color:var(--ins)}}.added>.cell.head .step b{{text-decoration:underline}}
.moved>.cell{{border-left:3px dashed var(--move)}}
.none{{color:var(--dim);font-size:.85rem;background:repeating-linear-gradient(135deg,transparent 0 7px,var(--ground) 7px 14px)}}
@media (max-width:700px){{body{{padding:.7rem}}.row{{grid-template-columns:1fr}}.row.top{{display:none}}.cell.none{{padding-block:.1rem}}}}
@media print{{:root{{color-scheme:light;{_LIGHT}}}body{{max-width:none;padding:0;font-size:10pt}}*{{print-color-adjust:exact}}
.row,h3{{break-inside:avoid}}details::details-content{{content-visibility:visible;block-size:auto}}}}
"""

POLICY = (
    "default-src 'none'; "
    f"style-src 'sha256-{b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'"
)
"""The content security policy: this style, and nothing else from anywhere."""

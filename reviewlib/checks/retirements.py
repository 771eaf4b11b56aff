"""When models stop answering: what their providers have announced.

Gathered in November 2026. Days from mid-2026 on were held against the ``deprecation_date`` of litellm 1.110.2 and what could be read of the
deprecation pages of Anthropic (platform.claude.com/docs/en/about-claude/model-deprecations), OpenAI (platform.openai.com/docs/deprecations) and
Google (ai.google.dev/gemini-api/docs/deprecations); earlier ones are as they were announced, and were not read again. Of a day that was told
differently in two places, the later one stands. They hold for the providers' own APIs: Bedrock, Vertex and Azure have others. A policy
adds to them and overrules them. genai-prices 0.2.3 marks 70 models as deprecated, none of OpenAI's or Anthropic's, and has no dates.
"""

from collections.abc import Mapping
from datetime import date

_TABLE = """
2024-11-06  claude-1.0 claude-1.1 claude-1.2 claude-1.3 claude-instant-1.0 claude-instant-1.1 claude-instant-1.2
2025-07-21  claude-2.0 claude-2.1 claude-3-sonnet-20240229
2025-10-28  claude-3-5-sonnet-20240620 claude-3-5-sonnet-20241022 claude-3-5-sonnet-latest
2026-01-05  claude-3-opus-20240229 claude-3-opus-latest
2026-02-19  claude-3-7-sonnet-20250219 claude-3-7-sonnet-latest claude-3-5-haiku-20241022 claude-3-5-haiku-latest
2026-04-20  claude-3-haiku-20240307
2026-06-15  claude-opus-4-20250514 claude-opus-4-0 claude-sonnet-4-20250514 claude-sonnet-4-0
2026-08-05  claude-opus-4-1-20250805 claude-opus-4-1
2026-11-30  claude-sonnet-4-5-20250929 claude-sonnet-4-5
2027-01-22  claude-opus-4-5-20251101 claude-opus-4-5
2024-01-04  text-davinci-003 text-davinci-002 text-curie-001 text-babbage-001 text-ada-001 code-davinci-002
2024-09-13  gpt-3.5-turbo-0301 gpt-3.5-turbo-0613 gpt-3.5-turbo-16k-0613
2024-12-06  gpt-4-vision-preview gpt-4-1106-vision-preview
2025-06-06  gpt-4-32k gpt-4-32k-0613 gpt-4-32k-0314
2025-07-14  gpt-4.5-preview gpt-4.5-preview-2025-02-27
2025-07-28  o1-preview o1-preview-2024-09-12
2025-10-27  o1-mini o1-mini-2024-09-12
2026-01-16  codex-mini-latest
2026-02-17  chatgpt-4o-latest
2026-03-26  gpt-4-0314 gpt-4-0125-preview gpt-4-turbo-preview
2026-07-23  computer-use-preview computer-use-preview-2025-03-11 gpt-4o-search-preview-2025-03-11 gpt-4o-mini-search-preview-2025-03-11
2026-07-23  gpt-5-chat-latest gpt-5-codex gpt-5.1-chat-latest gpt-5.1-codex gpt-5.1-codex-max gpt-5.1-codex-mini gpt-5.2-codex
2026-07-23  o3-deep-research o3-deep-research-2025-06-26 o4-mini-deep-research o4-mini-deep-research-2025-06-26
2026-08-10  gpt-5.2-chat-latest gpt-5.3-chat-latest
2026-09-28  gpt-3.5-turbo-1106 gpt-3.5-turbo-instruct babbage-002 davinci-002
2026-10-23  gpt-3.5-turbo gpt-3.5-turbo-0125 gpt-3.5-turbo-16k gpt-4 gpt-4-0613 gpt-4-1106-preview gpt-4-turbo gpt-4-turbo-2024-04-09
2026-10-23  gpt-4.1-nano gpt-4.1-nano-2025-04-14 gpt-4o-2024-05-13 o1 o1-2024-12-17 o1-pro o1-pro-2025-03-19 o3-mini o3-mini-2025-01-31
2026-10-23  o4-mini o4-mini-2025-04-16
2026-12-11  gpt-5 gpt-5-2025-08-07 gpt-5-mini gpt-5-mini-2025-08-07 gpt-5-nano gpt-5-nano-2025-08-07 gpt-5-pro gpt-5-pro-2025-10-06 o3
2026-12-11  o3-2025-04-16 o3-pro o3-pro-2025-06-10
2027-01-14  gpt-4.1 gpt-4.1-2025-04-14 gpt-4.1-mini gpt-4.1-mini-2025-04-14 gpt-4o gpt-4o-2024-08-06 gpt-4o-2024-11-20 gpt-4o-mini
2027-01-14  gpt-4o-mini-2024-07-18
2027-04-01  gpt-5.1 gpt-5.1-2025-11-13 gpt-5.3-codex gpt-5.4-nano gpt-5.4-nano-2026-03-17
2025-02-15  gemini-1.0-pro gemini-1.0-pro-001 gemini-pro
2025-09-24  gemini-1.5-pro gemini-1.5-pro-001 gemini-1.5-pro-002 gemini-1.5-pro-latest gemini-1.5-flash gemini-1.5-flash-001
2025-09-24  gemini-1.5-flash-002 gemini-1.5-flash-latest gemini-1.5-flash-8b
2025-12-02  gemini-2.5-pro-preview-03-25 gemini-2.5-pro-preview-05-06 gemini-2.5-pro-preview-06-05
2026-03-09  gemini-3-pro-preview
2026-05-25  gemini-3.1-flash-lite-preview
2026-06-01  gemini-2.0-flash gemini-2.0-flash-001 gemini-2.0-flash-lite gemini-2.0-flash-lite-001
2026-12-01  gemini-2.5-pro gemini-2.5-flash
2027-05-07  gemini-3.1-flash-lite
"""

RETIREMENTS: Mapping[str, date] = {
    model: date.fromisoformat(day) for day, *models in map(str.split, _TABLE.strip().splitlines()) for model in models
}
"""By a model's name as it is asked for, the day from which it does not answer."""

"""The APIs that recorded model calls speak: one module with one frozen record each, in one visible tuple.

``read_call`` turns one exchange into a neutral ``ModelCall``. The strongest evidence decides, whatever the host: the shape of the
answer, then the path of the URL, then the shape of the request.
"""

from reviewlib.model.call import ModelCall, ModelRequest
from reviewlib.model.cassette import Exchange
from reviewlib.providers import (
    anthropic,
    bedrock_converse,
    bedrock_text,
    cohere,
    gemini,
    huggingface,
    ollama,
    openai_chat,
    openai_completions,
    openai_responses,
    pydantic_ai,
    xai,
)
from reviewlib.providers._memory import forget
from reviewlib.providers._react import read_prose
from reviewlib.providers._wire import Wire, read_wire
from reviewlib.providers.provider import Evidence, Provider

__all__ = ["PROVIDERS", "forget", "read_call"]

PROVIDERS: tuple[Provider, ...] = (
    anthropic.PROVIDER,
    openai_chat.PROVIDER,
    openai_responses.PROVIDER,
    openai_completions.PROVIDER,
    gemini.PROVIDER,
    bedrock_converse.PROVIDER,
    bedrock_text.PROVIDER,
    cohere.PROVIDER,
    ollama.PROVIDER,
    huggingface.PROVIDER,
    xai.PROVIDER,
    pydantic_ai.PROVIDER,
)


def read_call(exchange: Exchange) -> ModelCall | None:
    """The model call that was recorded, or None for other traffic.

    A call whose answer is missing has ``response`` None; one that failed, or whose answer cannot be read, has ``response.error``.
    Never raises, whatever the exchange holds.
    """
    wire = read_wire(exchange)
    provider = _provider(wire)
    if provider is None:
        return None
    request, response = provider.parse(wire)
    return read_prose(
        ModelCall(
            interaction=exchange.index,
            provider=provider.name,
            request=_with_model(request, exchange.model),
            response=response,
            key=exchange.key,
            http_status=wire.status,
            recorded_at=exchange.recorded_at,
            seconds=exchange.seconds,
        )
    )


def _provider(wire: Wire) -> Provider | None:
    """The provider that the strongest evidence speaks for, the first among equals; None for other traffic."""
    if wire.is_side_traffic:
        return None
    return next((provider for evidence in Evidence for provider in PROVIDERS if provider.has(evidence, wire)), None)


def _with_model(request: ModelRequest | None, noted: str | None) -> ModelRequest | None:
    """The request with the model that the recorder noted beside it, where the body names none."""
    if request is None or request.model is not None or noted is None:
        return request
    return request.model_copy(update={"model": noted})

"""The recorded answers that an official SDK reads otherwise than this product, or not at all, each with the reason."""

_GROQ = "Groq puts the usage of a stream under x_groq; the SDK of OpenAI reads only the key usage"
_THINKING = "public/pydantic-ai-gpt5/{}/tests/models/cassettes/test_groq/test_groq_model_thinking_part_iter.yaml#{}"
_SEARCH = "public/pydantic-ai-gpt5/head/tests/models/cassettes/test_groq/test_groq_model_web_search_tool_stream.yaml#0"
_STORED = "samples/pydantic-pydantic-ai__tests_models_cassettes_test_openai_responses_test_openai_previous_response_id.yaml#{}"
_BY_HAND = 'the recording was written by hand: no API says "complete" for "completed"'

EXCEPTIONS: dict[str, str] = {
    _THINKING.format("base", 0): _GROQ,
    _THINKING.format("head", 0): _GROQ,
    _THINKING.format("head", 1): _GROQ,
    _SEARCH: _GROQ,
    _STORED.format(0): _BY_HAND,
    _STORED.format(1): _BY_HAND,
    "samples/pydantic-pydantic-ai__tests_models_cassettes_test_snowflake_test_snowflake_model_simple.yaml#0": (
        "Snowflake writes out every member that is not set; the SDK makes a call without a name of an empty function_call"
    ),
    "samples/tmc-langchaingo__llms_googleai_testdata_TestGoogleAIToolCallResponse.httprr#1": (
        "a stream as a JSON array; the SDK asks for server-sent events only, and finds none in it"
    ),
}

_REFUSAL = "typescript_tests_e2e_output_cassettes_refusal_openai_completions_handles-refusal-for-stream.har#0"
_FILTERING = "opentelemetry-instrumentation-openai_tests_traces_cassettes_test_azure_test_chat_content_filtering.yaml#0"

REFUSALS: dict[str, str] = {
    f"samples/Mirascope-mirascope@c259ca532b_parent__{_REFUSAL}": "the SDK's helper for streams raises where the length limit was reached",
    "samples/tmc-langchaingo__llms_googleai_testdata_TestGoogleAIToolCallResponse.httprr#0": (
        "the finish reason is a number; the SDK expects its name"
    ),
    f"samples/traceloop-openllmetry__packages_{_FILTERING}": "Azure leaves the message out of a filtered choice; the SDK expects one",
}

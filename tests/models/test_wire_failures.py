"""What providers' errors mean. The bodies are the shapes that known providers send."""

from typing import Any

import pytest

from agent_mini.models.wire.failures import TEXT_LIMIT, provider_error, shorten

QUOTA = "You exceeded your current quota, please check your plan and billing details."


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (400, {"error": {"message": "bad"}}, "LLM_BAD_REQUEST"),
        (401, {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}, "LLM_AUTH"),
        (402, {"error": {"message": "Insufficient Balance"}}, "LLM_QUOTA_EXCEEDED"),
        (403, "", "LLM_AUTH"),
        (404, {"error": {"message": "model not found"}}, "LLM_BAD_REQUEST"),
        (408, "", "LLM_TIMEOUT"),
        (413, "", "LLM_BAD_REQUEST"),
        (422, {"detail": [{"loc": ["body"], "msg": "field required"}]}, "LLM_BAD_REQUEST"),
        (302, "", "LLM_BAD_REQUEST"),
        (500, "", "LLM_UNAVAILABLE"),
        (503, "quota", "LLM_UNAVAILABLE"),
        (529, {"error": {"type": "overloaded_error"}}, "LLM_UNAVAILABLE"),
        # 429 means two things
        (429, "", "LLM_RATE_LIMITED"),
        (429, {"error": {"message": "Rate limit reached for requests"}}, "LLM_RATE_LIMITED"),
        (429, {"error": {"message": QUOTA, "code": "insufficient_quota"}}, "LLM_QUOTA_EXCEEDED"),
        (429, {"error": {"message": QUOTA}}, "LLM_QUOTA_EXCEEDED"),
        (429, {"error": {"type": "exceeded_current_quota_error", "message": "x"}}, "LLM_QUOTA_EXCEEDED"),
        (429, {"error": {"code": "1113", "message": "您的账户已欠费，请充值后重试。"}}, "LLM_QUOTA_EXCEEDED"),
        (429, {"error": {"message": "账户余额不足"}}, "LLM_QUOTA_EXCEEDED"),
        (
            429,
            {"error": {"message": "Rate limit: 3 RPM. Add a payment method at https://x.example/billing"}},
            "LLM_RATE_LIMITED",
        ),
        # an unpaid account under another status
        (
            400,
            {"code": "Arrearage", "message": "Access denied, account not in good standing"},
            "LLM_QUOTA_EXCEEDED",
        ),
        (403, {"error": {"code": "AccountOverdueError", "message": "x"}}, "LLM_QUOTA_EXCEEDED"),
        (400, {"error": {"message": "quota is not a known parameter"}}, "LLM_BAD_REQUEST"),
    ],
)
def test_a_status_and_its_words_become_a_code(status: int, body: Any, code: str) -> None:
    error = provider_error(body, status)

    assert error.code == code
    assert error.message.startswith(f"HTTP {status}: ")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"error": {"message": "slow down", "code": 429}}, "LLM_RATE_LIMITED"),
        ({"error": {"message": "upstream", "code": "502"}}, "LLM_UNAVAILABLE"),
        ({"error": {"message": "no", "code": 401}}, "LLM_AUTH"),
        ({"error": {"message": "x", "type": "rate_limit_error"}}, "LLM_RATE_LIMITED"),
        ({"error": {"message": "x", "type": "insufficient_quota"}}, "LLM_QUOTA_EXCEEDED"),
        ({"error": {"message": "x", "type": "authentication_error"}}, "LLM_AUTH"),
        ({"error": {"message": "x", "type": "invalid_request_error"}}, "LLM_BAD_REQUEST"),
        ({"error": {"message": "Request timed out"}}, "LLM_TIMEOUT"),
        ({"error": {"message": "Overloaded", "type": "overloaded_error"}}, "LLM_UNAVAILABLE"),
        ({"error": {"message": "who knows"}}, "LLM_UNAVAILABLE"),
    ],
)
def test_an_error_inside_a_200_is_told_by_its_words(body: Any, code: str) -> None:
    assert provider_error(body).code == code


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"error": {"message": "first"}}, "first"),
        ({"error": "plain"}, "plain"),
        ([{"error": {"message": "in a list"}}], "in a list"),
        ({"message": "no error key"}, "no error key"),
        ({"detail": "of FastAPI"}, "of FastAPI"),
        ({"error_code": 110, "error_msg": "of Baidu"}, "of Baidu"),
        ({"error": {"reason": 7}}, '{"reason": 7}'),
        ("  a   line\nand another ", "a line and another"),
        ("", "no text"),
        (None, '{"message": null}'),
    ],
)
def test_the_providers_own_text_is_kept(body: Any, text: str) -> None:
    assert provider_error(body, 400).message == f"HTTP 400: {text}"


def test_a_long_text_is_cut_but_never_inside_a_word() -> None:
    key = "sk-" + "k" * 60
    for padding in range(TEXT_LIMIT - 40, TEXT_LIMIT + 5):
        cut = shorten("x" * 10 + " " * 3 + "y " * (padding // 2) + key + " and so on" * 5)
        assert len(cut) <= TEXT_LIMIT
        assert cut.endswith("...")
        assert key in cut or "sk-" not in cut


def test_a_long_chinese_text_is_not_lost() -> None:
    assert len(shorten("余额不足" * 100)) == TEXT_LIMIT

"""The public names, pinned: notebooks and readers use these, so a change here is a decision.

A failing test prints the names as they are, to be pasted here.
"""

import importlib
import pkgutil

import pytest

import agent_mini

# The command is the public face of ``cli``; it has no names to import.
SUBPACKAGES = sorted(
    f"agent_mini.{module.name}"
    for module in pkgutil.iter_modules(agent_mini.__path__)
    if module.ispkg and module.name != "cli"
)
PACKAGES = ["agent_mini", *SUBPACKAGES]

PUBLIC = {
    "agent_mini": """
        AgentError Approval ApprovalRequest CheckpointError Conversation ErrorCode EventLog FixedClock Human InputError
        JsonlLog ModelError Nobody ScriptExhausted ScriptedHuman Settings SystemClock TerminalHuman
        create_model end_in_words find_json_object language_of load_settings parse_arguments parse_verdict render_report
        role_prompt split_thinking
    """,
    "agent_mini.conversation": """
        Conversation MAX_QUESTION check_question demo_requests fell_back_line labelled picture_path recent
        stopped_line
    """,
    "agent_mini.engine": """
        BadReference DECISION_SCHEMA Engine Save ask_model build_context conclude fail forced_end from_plain
        new_discussion parse_decision repair resolve resolve_call retry run run_calls take_answer to_plain
        wait_for_person
    """,
    "agent_mini.guardrails": """
        ApprovalGate LimitWatch Limits has_side_effects
    """,
    "agent_mini.handwritten": """
        FileCheckpoint Team run_tool_loop
    """,
    "agent_mini.models": """
        Behaviour Capabilities ChatModel FallbackModel FallbackPolicy OnDelta OpenAIModel RoleplayModel ScriptedModel
        another_may_help any_failure wire
    """,
    "agent_mini.planner": """
        Candidate Decision Figures Filled Intent Intents KeylessModel Offer Outcome Plan Progress
        Question Reading Repair Scene Segment Slot Step Weights decide derive fill load_intents
        match_tools measure normalise plan read_intent read_progress repair score segment
        split_further validate
    """,
    "agent_mini.tools": """
        Tool ToolContext ToolError Toolbox calculate days_between files fun_pick get_weather make_ascii_art
        make_chart make_meme standard_tools today todo tool
    """,
    "agent_mini.types": """
        Decision Delta Event EventKind Expert FinishReason Language LoopResult Message OnEvent Reply Role
        Speaker StepResult StopReason TeamState TeamStatus ToolCall ToolResult ToolStep Turn Usage Verdict
        assistant ignore system tool_message user
    """,
    "agent_mini.workbook": """
        ChatPanel LocalEndpoint WidgetHuman check hint matrix mermaid person show_course show_json
        show_messages progress show_source show_steps solution stacked_bars table
    """,
}


def public_names(package: str) -> list[str]:
    """``__all__`` of ``package``, every name in it resolved."""
    module = importlib.import_module(package)
    names = list(getattr(module, "__all__", []))
    for name in names:
        getattr(module, name)
    return sorted(names)


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_pinned(package: str) -> None:
    names = public_names(package)
    assert names == sorted(PUBLIC.get(package, "").split()), f"{package} has {' '.join(names)}"


def test_no_pinned_package_is_gone() -> None:
    assert sorted(PUBLIC) == sorted(PACKAGES)

"""The role prompts in both languages, the headings of what a role is shown, and the prompt of a conversation.

A role's prompt begins with its line in ``ROLE_LINES``; that is how a model that plays all roles knows which
one it is.
"""

import re
from collections.abc import Sequence
from typing import Literal

from agent_mini.types.team import Language

Role = Literal["coordinator", "proposer", "critic", "summariser"]

ROLES: tuple[Role, ...] = ("coordinator", "proposer", "critic", "summariser")

ROLE_LINES: dict[Language, dict[Role, str]] = {
    "en": {
        "coordinator": "You are the coordinator of a small team.",
        "proposer": "You are the proposer in a small team.",
        "critic": "You are the critic in a small team.",
        "summariser": "You are the summariser of a small team.",
    },
    "zh": {
        "coordinator": "你是一个小团队的协调者。",
        "proposer": "你是一个小团队里的提案者。",
        "critic": "你是一个小团队里的评审者。",
        "summariser": "你是一个小团队的总结者。",
    },
}

_DUTIES: dict[Language, dict[Role, str]] = {
    "en": {
        "coordinator": """\
Decide what happens next and answer with one JSON object and nothing else:
{"action": "dispatch", "target": "proposer" or "critic", "instruction": "what to do", "reason": "why"}
{"action": "ask_human", "question": "what only the person can know", "reason": "why"}
A proposal comes first, then its review, then a better proposal. Ask the person only for what the team
cannot find out itself. You do not end the discussion: that is decided by rules.""",
        "proposer": """\
Write one concrete proposal that answers the question: what to do, in which order, and how to tell that it
worked. When a review asks for changes, write the whole proposal again with those changes made. Use a tool
for anything that can be computed or looked up.""",
        "critic": """\
Review the latest proposal: what is missing, what could go wrong, what it rests on. Be specific and brief.
End with one line of its own, exactly VERDICT: APPROVE or VERDICT: REVISE. Approve when what is left to
say would not change what the person does.""",
        "summariser": """\
Write the final answer for the person who asked, from the discussion alone: the recommendation first, then
the reasons, then what is still open. If no agreement was reached, say so in the first sentence.""",
    },
    "zh": {
        "coordinator": """\
决定下一步做什么，只用一个 JSON 对象回答，不要写别的：
{"action": "dispatch", "target": "proposer" 或 "critic", "instruction": "要做的事", "reason": "原因"}
{"action": "ask_human", "question": "只有提问的人才知道的事", "reason": "原因"}
先有提案，再评审，再改进提案。只有团队自己查不到的事才去问人。讨论何时结束由规则决定，不由你决定。""",
        "proposer": """\
写一个具体的提案来回答问题：做什么，按什么顺序做，怎样判断做成了。
评审要求修改时，把改好的提案完整地重写一遍。凡是能计算或能查到的，都用工具。""",
        "critic": """\
评审最新的提案：缺什么，哪里可能出错，它依赖什么前提。要具体，要简短。
最后单独写一行，只能是 VERDICT: APPROVE 或 VERDICT: REVISE。剩下的意见不会改变提问人的做法时，就通过。""",
        "summariser": """\
只根据讨论内容，为提问的人写出最终答案：先写建议，再写理由，最后写还没有定论的部分。
如果没有达成一致，第一句话就要说明。""",
    },
}

HEADINGS: dict[Language, dict[str, str]] = {
    "en": {
        "question": "# Question",
        "discussion": "# Discussion so far",
        "task": "# Your task",
        "left_out": "({count} earlier turns left out)",
        "cut": "[{count} characters left out]",
        "coordinator": "coordinator",
        "proposer": "proposer",
        "critic": "critic",
        "person": "person",
        "summariser": "summariser",
    },
    "zh": {
        "question": "# 问题",
        "discussion": "# 目前的讨论",
        "task": "# 你的任务",
        "left_out": "（更早的 {count} 条发言已省略）",
        "cut": "［省略了 {count} 个字符］",
        "coordinator": "协调者",
        "proposer": "提案者",
        "critic": "评审者",
        "person": "提问人",
        "summariser": "总结者",
    },
}

COORDINATE: dict[Language, str] = {
    "en": "Decide the next step. Answer with one JSON object.",
    "zh": "决定下一步。用一个 JSON 对象回答。",
}

SUMMARISE: dict[Language, dict[str, str]] = {
    "en": {
        "consensus": "The critic approved the latest proposal. Write the final answer.",
        "round_limit": "The round limit was reached and no consensus was reached. Write the final answer and say so.",
    },
    "zh": {
        "consensus": "评审者通过了最新的提案。请写出最终答案。",
        "round_limit": "已到轮数上限，没有达成一致。请写出最终答案，并说明这一点。",
    },
}

BAD_DECISION: dict[Language, str] = {
    "en": "Your answer cannot be used: {error}. Answer again with one JSON object and nothing else.",
    "zh": "你的回答无法使用：{error}。请重新回答，只写一个 JSON 对象。",
}

_CHAT: dict[Language, str] = {
    "en": """\
You help one person, with the tools you are given. Answer in English, briefly, without headings.
- What a tool can compute, look up or do, a tool does: never from memory, never in your head.
- Say only what the results say. What a tool marks as sample data is an example, not live: say so.
- When a later step needs an earlier result, you may refer to it: "$1.series.temp_max" in an argument stands for
  that piece of the first tool result you can see, "$2" for the second, and so on.
- When a tool fails, read why, mend the arguments once, and otherwise say what could not be done.
- When something needed is missing, ask for it, and call nothing.""",
    "zh": """\
你用所给的工具帮助一个人。用中文回答，简短，不用标题。
- 凡是工具能算、能查、能做的，都交给工具：不凭记忆，不心算。
- 只说结果里有的内容。工具标明是示例的数据只是例子，不是实时数据：要说明这一点。
- 后一步要用前一步的结果时，可以引用它：参数里写 "$1.series.temp_max"，就代表你能看到的第一个工具结果的那一部分，
  "$2" 代表第二个，依此类推。
- 工具失败时，先看原因，改一次参数再试；还不行，就说明哪件事没有做成。
- 缺少必要的信息时，就问，不要调用工具。""",
}

_INTERRUPTED: dict[Language, str] = {
    "en": "- The turn before was stopped and is not shown. These tools had run in it, or were running: {tools}.",
    "zh": "- 上一轮被中断了，这里看不到它。其中这些工具已经运行过，或正在运行：{tools}。",
}

STOPPED: dict[Language, dict[str, str]] = {
    "en": {
        "step_limit": "I stopped here: this took more steps than I may make. Ask for less at once.",
        "time_limit": "I stopped here: the time for one question is over. Ask again, or for less at once.",
        "repeat_limit": "I stopped here: I kept asking for the same thing. Say it in other words.",
        "token_limit": "I stopped here: the limit of tokens was reached.",
        "cost_limit": "I stopped here: the limit of cost was reached.",
        "empty": "I have no answer to that.",
    },
    "zh": {
        "step_limit": "我先停在这里：步数已到上限。请一次少要求一些。",
        "time_limit": "我先停在这里：一个问题的时间已用完。请再问一次，或一次少要求一些。",
        "repeat_limit": "我先停在这里：我一直在重复同一个请求。请换个说法。",
        "token_limit": "我先停在这里：词元已到上限。",
        "cost_limit": "我先停在这里：费用已到上限。",
        "empty": "这个问题我没有答案。",
    },
}
"""What a conversation says when a turn ended without an answer, by ``StopReason``; ``empty`` where the answer is."""

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z]+")


def role_prompt(role: Role, language: Language) -> str:
    """The whole system prompt of a role."""
    return f"{ROLE_LINES[language][role]}\n{_DUTIES[language][role]}"


def chat_prompt(language: Language, interrupted: Sequence[str] = ()) -> str:
    """The system prompt of a conversation.

    Args:
        language: The language to answer in.
        interrupted: The tools that ran in a turn that was stopped. Their names and no more: what a system prompt
            says is taken for an instruction.
    """
    note = f"\n{_INTERRUPTED[language].format(tools=', '.join(interrupted))}" if interrupted else ""
    return f"{_CHAT[language]}{note}"


def role_of(system_prompt: str) -> tuple[Role, Language] | None:
    """Which role a system prompt gives, and in which language; None for any other prompt."""
    for language, lines in ROLE_LINES.items():
        for role, line in lines.items():
            if system_prompt.startswith(line):
                return role, language
    return None


def language_of(text: str) -> Language:
    """The language to answer ``text`` in: Chinese unless it has more Latin words than Chinese characters."""
    characters = len(_CHINESE.findall(text))
    return "zh" if characters and characters >= len(_WORD.findall(text)) else "en"

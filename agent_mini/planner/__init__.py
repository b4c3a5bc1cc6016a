"""The keyless planner: free Chinese and English into tool calls, without a model.

The stages, in the order in which ``plan`` composes them; each is a pure function and can be run alone:

``normalise``  the many ways to write a thing become one
``segment``    a request into its steps
``score``      how much a sentence speaks for a tool
``slots``      a tool's arguments from the sentence (``extract`` finds the values), and from earlier results
``decide``     act, ask which was meant, or small talk
``validate``   the arguments against the schema that is offered

Around them: ``intents`` and ``derive`` (what is known of each tool), ``pending`` (a question and its answer),
``progress`` and ``repair`` (where a conversation stands, what to try after a failure), ``answers``, and ``model``,
which makes a ``ChatModel`` of it all. ``measure`` says how well it understands.
"""

from agent_mini.planner.decide import Decision, decide
from agent_mini.planner.derive import Offer, derive, match_tools
from agent_mini.planner.intents import Intent, Intents, Slot, Weights, load_intents, read_intent
from agent_mini.planner.measure import Figures, measure
from agent_mini.planner.model import KeylessModel
from agent_mini.planner.normalise import normalise
from agent_mini.planner.plan import plan
from agent_mini.planner.progress import Outcome, Progress, read_progress
from agent_mini.planner.reading import Reading
from agent_mini.planner.repair import Repair, repair
from agent_mini.planner.scene import Scene
from agent_mini.planner.score import score
from agent_mini.planner.segment import segment, split_further
from agent_mini.planner.slots import Filled, fill
from agent_mini.planner.validate import validate
from agent_mini.planner.values import Candidate, Plan, Question, Segment, Step

__all__ = [
    "Candidate",
    "Decision",
    "Figures",
    "Filled",
    "Intent",
    "Intents",
    "KeylessModel",
    "Offer",
    "Outcome",
    "Plan",
    "Progress",
    "Question",
    "Reading",
    "Repair",
    "Scene",
    "Segment",
    "Slot",
    "Step",
    "Weights",
    "decide",
    "derive",
    "fill",
    "load_intents",
    "match_tools",
    "measure",
    "normalise",
    "plan",
    "read_intent",
    "read_progress",
    "repair",
    "score",
    "segment",
    "split_further",
    "validate",
]

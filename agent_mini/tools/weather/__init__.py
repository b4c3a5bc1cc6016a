"""The weather in three tiers, each for when the one before cannot answer: wttr.in, open-meteo, an example that ships.

``tool`` goes through them; ``wttr``, ``open_meteo`` and ``sample`` know one each. ``web`` fetches, ``series`` checks
what came, ``texts`` says it in words, ``cities`` knows the names.
"""

from agent_mini.tools.weather.tool import get_weather

__all__ = ["get_weather"]

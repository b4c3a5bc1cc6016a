"""Weather in words: the codes of the World Meteorological Organization (WMO 4677), and wttr.in's mapped to them."""

from collections.abc import Mapping

# Of two codes of a day, the higher one is the weather to be warned of.
TEXTS: Mapping[int, str] = {
    0: "Clear 晴",
    1: "Mostly clear 大致晴朗",
    2: "Partly cloudy 多云间晴",
    3: "Cloudy 多云",
    45: "Fog 雾",
    48: "Freezing fog 冻雾",
    51: "Light drizzle 小毛毛雨",
    53: "Drizzle 毛毛雨",
    55: "Heavy drizzle 大毛毛雨",
    56: "Light freezing drizzle 小冻毛毛雨",
    57: "Freezing drizzle 冻毛毛雨",
    61: "Light rain 小雨",
    63: "Rain 中雨",
    65: "Heavy rain 大雨",
    66: "Light freezing rain 小冻雨",
    67: "Freezing rain 冻雨",
    68: "Light sleet 小雨夹雪",
    69: "Sleet 雨夹雪",
    71: "Light snow 小雪",
    73: "Snow 中雪",
    75: "Heavy snow 大雪",
    77: "Snow grains 米雪",
    79: "Ice pellets 冰粒",
    80: "Light showers 小阵雨",
    81: "Showers 阵雨",
    82: "Heavy showers 强阵雨",
    83: "Light sleet showers 小阵雨夹雪",
    84: "Sleet showers 阵雨夹雪",
    85: "Snow showers 阵雪",
    86: "Heavy snow showers 强阵雪",
    95: "Thunderstorm 雷雨",
    96: "Thunderstorm with hail 雷雨伴冰雹",
    99: "Thunderstorm with heavy hail 雷雨伴大冰雹",
}

UNKNOWN = "Unknown 未知"

# wttr.in has the codes of World Weather Online.
WWO_TO_WMO: Mapping[int, int] = {
    113: 0,
    116: 2,
    **dict.fromkeys((119, 122), 3),
    **dict.fromkeys((143, 248), 45),
    260: 48,
    **dict.fromkeys((263, 266), 51),
    **dict.fromkeys((185, 281), 56),
    284: 57,
    **dict.fromkeys((293, 296), 61),
    **dict.fromkeys((299, 302), 63),
    **dict.fromkeys((305, 308), 65),
    311: 66,
    314: 67,
    **dict.fromkeys((182, 317), 68),
    320: 69,
    **dict.fromkeys((323, 326), 71),
    **dict.fromkeys((227, 329, 332), 73),
    **dict.fromkeys((230, 335, 338), 75),
    **dict.fromkeys((350, 374, 377), 79),
    **dict.fromkeys((176, 353), 80),
    356: 81,
    359: 82,
    362: 83,
    365: 84,
    **dict.fromkeys((179, 368), 85),
    371: 86,
    **dict.fromkeys((200, 386, 389, 392, 395), 95),
}


def text_of(code: int | None) -> str:
    """A WMO code in English and Chinese; a code that is not in the table says so."""
    return UNKNOWN if code is None else TEXTS.get(code, UNKNOWN)

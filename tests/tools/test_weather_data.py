"""agent_mini.tools.weather: the tables of cities, of the example and of words."""

import datetime as dt
import math

import pytest

from agent_mini.clock import FixedClock
from agent_mini.config import CHECKOUT
from agent_mini.tools import ToolContext, get_weather
from agent_mini.tools.weather.cities import Cities, load_cities
from agent_mini.tools.weather.texts import TEXTS, WWO_TO_WMO

# The codes as World Weather Online and the World Meteorological Organization list them.
WWO = """
    113 116 119 122 143 176 179 182 185 200 227 230 248 260 263 266 281 284 293 296 299 302 305 308 311 314 317 320
    323 326 329 332 335 338 350 353 356 359 362 365 368 371 374 377 386 389 392 395
"""
WMO = "0 1 2 3 45 48 51 53 55 56 57 61 63 65 66 67 71 73 75 77 80 81 82 85 86 95 96 99"


@pytest.fixture
def cities() -> Cities:
    return load_cities(CHECKOUT / "data" / "cities.toml")


@pytest.mark.parametrize(
    ("name", "en"),
    [
        ("北京", "Beijing"),
        ("北京市", "Beijing"),
        ("beijing", "Beijing"),
        (" BEIJING ", "Beijing"),
        ("Peking", "Beijing"),
        ("Xian", "Xi'an"),
        ("xi’an", "Xi'an"),
        ("東京", "Tokyo"),
        ("纽约", "New York"),
        ("newyork", "New York"),
        ("New York City", "New York"),
        ("São Paulo", "Sao Paulo"),
        ("ürümqi", "Urumqi"),
        ("三藩市", "San Francisco"),
        ("臺北", "Taipei"),
    ],
)
def test_a_city_is_found_however_it_is_written(name: str, en: str, cities: Cities) -> None:
    city = cities.find(name)
    assert city
    assert city.en == en


@pytest.mark.parametrize("name", ["Elbonia", "Paris, Texas", "市", "", "...", "东", "Beijin"])
def test_nothing_else_is_found(name: str, cities: Cities) -> None:
    assert cities.find(name) is None


def test_every_city_is_found_by_every_name(cities: Cities) -> None:
    assert len(cities.cities) >= 30
    assert len({city.en for city in cities.cities}) == len(cities.cities)
    for name, city in cities.by_name.items():
        assert cities.find(name) is city


def test_a_name_like_the_question(cities: Cities) -> None:
    city = cities.find("shanghai")
    assert city
    assert (city.name_like("上海市"), city.name_like("SHANGHAI")) == ("上海", "Shanghai")


def test_near_is_about_the_same_place(cities: Cities) -> None:
    suzhou, sydney = cities.find("Suzhou"), cities.find("Sydney")
    assert suzhou
    assert sydney
    assert suzhou.is_near(31.1, 121.0)
    assert not suzhou.is_near(33.64, 116.98)  # the other Suzhou, in Anhui
    assert not suzhou.is_near(math.nan, 120.0)
    assert sydney.is_near(-33.5, 151.21 - 360)


async def test_the_example_has_every_city_seven_days_long(cities: Cities) -> None:
    context = ToolContext(clock=FixedClock("2027-02-26"), offline=True)
    for city in cities.cities:
        result = await get_weather.run({"city": city.zh, "days": 7}, context)
        assert result.ok, result.content
        series = result.data["series"]
        assert [day["date"] for day in series] == [
            (dt.date(2027, 2, 26) + dt.timedelta(days=number)).isoformat() for number in range(7)
        ]
        for day in series:
            assert -40 < day["temp_min"] < day["temp_max"] < 50
            assert day["text"] in TEXTS.values()
            if "Snow" in day["text"] or "snow" in day["text"]:
                assert day["temp_min"] <= 0


def test_every_code_has_words_in_both_languages() -> None:
    assert {int(code) for code in WMO.split()} <= set(TEXTS)
    assert set(WWO_TO_WMO) == {int(code) for code in WWO.split()}
    assert set(WWO_TO_WMO.values()) <= set(TEXTS)
    for text in TEXTS.values():
        english, _, chinese = text.rpartition(" ")
        assert english.isascii()
        assert all("\u4e00" <= character <= "\u9fff" for character in chinese)
    assert len(set(TEXTS.values())) == len(TEXTS)

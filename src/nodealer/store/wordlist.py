"""Words that are read aloud to compare keys: 256 of them, so that each carries eight bits.

They are common and of four to seven letters, they differ in their first four, and no two of them
sound nearly alike; the tests measure that. Their order is fixed for ever, since a word stands for
its place.
"""

from __future__ import annotations

from typing import Final

_TEXT: Final = """
acid acorn album almanac almond amber anchor apple apron arctic atlas autumn avocado award bagel
balloon bamboo basket beaver bicycle biscuit bison blossom bonfire bottle bramble breeze buffalo
bulb bunny butter cabbage cactus candle canyon carpet cedar cello cherry chowder cinema circus
clover cobra coconut coffee comet copper cotton cousin cricket crystal curtain dagger daisy
desert diamond dinner dolphin domino donkey dragon drawer drizzle drum dustpan eagle earth echo
eclipse elbow empire engine escape falcon farmer feather fiddle flannel flute forest fossil
freckle frozen gadget galaxy garlic gazelle giraffe glacier goblet gondola gorilla granite
gravel grotto guitar hamster harbor harvest helmet horizon husky iceberg iguana indigo island
ivory jaguar jasmine jewel jigsaw journal jungle juniper karate kayak kernel ketchup kidney
kimono kitten koala ladder lagoon lantern lasagna laundry lemon lettuce library lizard locket
lotus lunch lynx maestro magnet mailbox mammoth mango marble meadow melody mermaid mirror
morning mosaic muffin muscle mustard napkin nectar nephew nickel nutmeg nylon oasis oatmeal
octopus olive onion opera orange orchid osprey ostrich oxygen oyster palace panther papaya
parrot parsnip peanut pebble pelican pencil penguin pigeon pillow plaza pollen potato pretzel
pumpkin puppet pyramid quarry queen quilt rabbit radish raft rhubarb ribbon robot rugby sandal
satin sausage scarf school scooter shovel silver siren sleigh snail snorkel sofa spider spinach
spiral sponge squid statue stomach sugar summer sunset swallow syrup tailor teapot temple
thistle thunder toast tornado tractor trumpet tunnel turnip turtle tweezer unicorn valley
vanilla village vinegar violin vitamin volcano voyage vulture waffle walnut whisper window wolf
wombat yogurt zenith zigzag zodiac
"""

WORDS: Final = tuple(_TEXT.split())

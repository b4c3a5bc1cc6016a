"""Finding one kind of value in a sentence; one file for what belongs together.

``words``   a choice, a path, free text
``numbers`` a number with its unit, a sum
``dates``   days ahead, the two ends of a range
``when``    a due date, in the person's own words
``places``  a city
``lists``   things to choose from, labels and values of a chart
"""

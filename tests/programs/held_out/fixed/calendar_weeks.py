"""Find the day of the week of a date."""

NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def is_leap(year):
    """Return whether a year has 366 days."""
    if year % 100 == 0:
        return year % 400 == 0
    return year % 4 == 0


def days_since(year, month, day):
    """Return the days since January 1, 1990, a Monday."""
    total = day - 1
    for each in range(1990, year):
        total += 366 if is_leap(each) else 365
    for number in range(month - 1):
        total += DAYS[number]
        if number == 1 and is_leap(year):
            total += 1
    return total


def weekday(year, month, day):
    """Return the name of the day."""
    return NAMES[days_since(year, month, day) % 7]


def main():
    print(weekday(2004, 3, 1))


main()

"""A library at work: sqlparse formats and parses SQL. Scale: repetitions.

The work is done by the package sqlparse, so it is recorded with
`--include sqlparse`.
"""

import sys
import zlib

import sqlparse

STATEMENTS = [
    "select id, name from customers where country = 'NL' order by name",
    "SELECT c.name, COUNT(*) AS orders, SUM(o.total) FROM customers c"
    " JOIN orders o ON o.customer_id = c.id WHERE o.placed_at >= '2020-01-01'"
    " GROUP BY c.name HAVING COUNT(*) > 3 ORDER BY 2 DESC LIMIT 10",
    "insert into events (id, kind, payload) values (1, 'click', '{\"x\": 1}'),"
    " (2, 'view', NULL), (3, 'click', '{}')",
    "update accounts set balance = balance - 100.50, changed = now()"
    " where id in (select account_id from transfers where state = 'ready')",
    "with recursive tree(id, parent, depth) as (select id, parent, 0 from nodes"
    " where parent is null union all select n.id, n.parent, t.depth + 1"
    " from nodes n join tree t on n.parent = t.id) select * from tree",
    "create table measurements (id integer primary key, taken timestamp not null,"
    " value double precision default 0.0, unit varchar(16) check (unit <> ''))",
    "select case when score >= 90 then 'a' when score >= 80 then 'b' else 'c' end"
    " as grade, avg(score) over (partition by class order by day) from exams -- all",
    "delete from sessions where expires < current_timestamp and user_id not in"
    " (select id from users where role = 'admin' or (active = 1 and seen > 5))",
]


def process(statement: str) -> str:
    formatted = sqlparse.format(statement, reindent=True, keyword_case="upper")
    parsed = sqlparse.parse(formatted)[0]
    leaves = len(list(parsed.flatten()))
    return f"{parsed.get_type()} {leaves} {formatted}"


def main() -> None:
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 14
    checksum = 0
    for _ in range(repetitions):
        for statement in STATEMENTS:
            checksum = zlib.crc32(process(statement).encode(), checksum)
    print(f"sqlparse {repetitions} {checksum:08x}")


if __name__ == "__main__":
    main()

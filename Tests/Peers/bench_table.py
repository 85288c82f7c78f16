"""The table of budgets: its rows, how they are printed, and which of them may fail a run."""
import json
import sys


class Table:
    """Rows appear on the screen as they are measured; `--json` gives all at the end."""

    def __init__(self, as_json):
        self.rows, self.as_json = [], as_json

    def add(self, name, value, unit="", budget=None, counted=False, note=""):
        """`counted`: the same on every machine, so that a run may fail because of it."""
        state = "info" if budget is None else "ok" if value <= budget else "over"
        row = {"name": name, "value": round(value, 4), "unit": unit, "budget": budget,
               "state": state, "counted": counted, "note": note}
        self.rows.append(row)
        if not self.as_json:
            if len(self.rows) == 1:
                print(f"{'what':58}{'value':>14}{'budget':>14}")
            print(f"{name:58}{self._text(value, unit):>14}{self._text(budget, unit):>14}  "
                  f"{state}{'  ' + note if note else ''}", flush=True)

    @staticmethod
    def _text(value, unit):
        if value is None:
            return "-"
        number = f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
        return f"{number} {unit}".rstrip()

    def finish(self):
        """Ends the program: 1 when what is counted is over its budget."""
        if self.as_json:
            print(json.dumps({"rows": self.rows}, indent=1))
        sys.exit(any(row["counted"] and row["state"] == "over" for row in self.rows))

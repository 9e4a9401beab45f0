"""A project of the engagement service for a test: its own players, clock and webhooks. Python's standard library alone."""

import base64
import hashlib
import hmac
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path


class Engagement:
    """Made for each test or file, and removed with all its data by close(). `url` and `key` are for the app under test."""

    def __init__(self, definitions, url=None, token=None):
        self.url = (url or os.environ["ENGAGEMENT_URL"]).rstrip("/")
        self._token = token or os.environ["ENGAGEMENT_TOKEN"]
        self._home = self._call("projects/me")["projects"][0]["slug"]
        self.project = self._call("testProjects/create", project=self._home)["slug"]
        self._scope = {"project": self.project, "environment": "sandbox"}
        self._offset = timedelta()
        self._webhooks, self._done = [], []
        try:
            self.key = self._call("keys/create", **self._scope, name="tests")["key"]
            self._listener = {**self._scope, "name": "tests", "session": str(uuid.uuid4())}
            self._secret = self._call("webhooks/listen", **self._listener, start={})["secret"]
            self.define(definitions)
        except BaseException:
            self.close()
            raise

    def define(self, definitions):
        """Imports a definitions file, or all *.json below a folder as one, with the images beside it. Numbers keep 15 digits."""
        path, whole = Path(definitions), {"version": 1}
        folder = path if path.is_dir() else path.parent
        for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
            parts = file.relative_to(folder).parts
            if file.name.endswith(".scenarios.json") or any(part.startswith(".") or part == "node_modules" for part in parts):
                continue
            for member, value in json.loads(file.read_text(encoding="utf-8-sig")).items():
                whole[member] = whole.get(member, []) + value if isinstance(value, list) else value
        # Uploaded images lie in images/, each named by its id; a new project does not have them.
        images, text = sorted((folder / "images").glob("*.*")), json.dumps(whole)
        named = [{"id": one.stem, "bytes": base64.b64encode(one.read_bytes()).decode()} for one in images if f'"{one.stem}"' in text]
        if named:
            whole.setdefault("images", named)
        parts = [whole]
        # A call takes 4 MiB, in which the file is a text: of a larger one, each image goes before the rest.
        if len(json.dumps(json.dumps(whole))) > 4_000_000:
            parts = [{"version": 1, "images": [image]} for image in whole.pop("images", [])] + parts
        for at, part in enumerate(parts):
            problems = self._call("definitions/importFile", **self._scope, text=json.dumps(part), dryRun=False)["problems"]
            if problems:
                lines = [f"{one['pointer']}: {one['message']}" for one in problems]
                raise AssertionError("\n".join(line.replace("/images/0/", f"/images/{at}/") for line in lines))

    def api(self, method, path, body=None):
        """Any request of the public API."""
        return _request(f"{self.url}{path}", self.key, method, body)

    def missions(self, player):
        """The player's missions by key. Reading them enters the player: events count from then on."""
        found = self.api("POST", "/v1/missions", {"playerId": player, "includeCompleted": True})
        return {one["missionKey"]: one for one in found}

    def points(self, player):
        return self.api("GET", f"/v1/points?{urllib.parse.urlencode({'PlayerId': player})}")["balance"]

    def send(self, player, event, **properties):
        now = datetime.now(timezone.utc) + self._offset
        item = {"playerId": player, "event": event, "occurredAt": now.isoformat(), "properties": properties}
        result = self.api("POST", "/v1/events", {"events": [item]})["results"][0]
        assert result["accepted"], result["errors"]

    def settled(self):
        """Returns once everything accepted before has been applied."""
        found = self._call("work/settled", **self._scope, player=None, deliveries=False, withinMs=20_000)
        assert found["isSettled"] and not found["quarantined"], found

    def advance(self, duration):
        """Moves the project's clock by an ISO 8601 duration such as P1D, and does what falls due on the way."""
        now = datetime.fromisoformat(self._call("work/moveClock", **self._scope, by=duration)["now"].replace("Z", "+00:00"))
        self._offset = max(self._offset, now - datetime.now(timezone.utc))

    def webhook(self, event, player, within=10):
        """The data of the next webhook of that event about that player, its signature verified."""
        end = time.monotonic() + within
        while True:
            for one in self._webhooks:
                if one["event"] == event and one["data"].get("playerExternalId") == player:
                    self._webhooks.remove(one)
                    return one["data"]
            assert time.monotonic() < end, f"no {event} about {player}; there were {self._webhooks}"
            answer = self._call("webhooks/listen", **self._listener, done=self._done, waitMs=1_000)
            self._done = [copy["id"] for copy in answer["copies"]]
            for copy in answer["copies"]:
                _verify(copy, self._secret)
                self._webhooks.append(json.loads(copy["body"]))

    def close(self):
        self._call("testProjects/remove", project=self._home, slug=self.project)

    def _call(self, procedure, **values):
        """What the dashboard calls: a token is needed, and both directions are wrapped in "json"."""
        return _request(f"{self.url}/rpc/{procedure}", self._token, "POST", {"json": values}).get("json")


def _request(url, credential, method, body=None):
    headers = {"authorization": f"Bearer {credential}", "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    end = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:
                return json.loads(answer.read() or "{}")
        except urllib.error.HTTPError as error:
            # 429 had no effect: calls of other workers are under way.
            if error.code != 429 or time.monotonic() > end:
                raise AssertionError(f"{method} {url} answered {error.code}: {error.read().decode()}") from None
        time.sleep(0.5)


def _verify(copy, secret):
    """Standard Webhooks: https://www.standardwebhooks.com."""
    headers = copy["headers"]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{copy['body']}".encode()
    expected = base64.b64encode(hmac.digest(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256)).decode()
    assert any(hmac.compare_digest(f"v1,{expected}", one) for one in headers["webhook-signature"].split(" ")), "wrong signature"

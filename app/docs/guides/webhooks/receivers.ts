import type { Language } from "../../code/highlight.ts";

/** A receiver of deliveries, complete: it verifies with the Standard Webhooks library of its language. */
export interface Receiver {
  name: string;
  language: Language;
  install: string;
  file: string;
  code: string;
}

const TYPESCRIPT = `
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

interface Delivery {
  event: string;
  deliveryId: string;
  data: Record<string, unknown>;
}

const webhook = new Webhook(process.env.WEBHOOK_SECRET!); // whsec_…

createServer(async (request, response) => {
  // The body as it came: parsed and written anew, it would no longer fit its signature.
  const body = await text(request);
  let delivery: Delivery;
  try {
    delivery = webhook.verify(body, request.headers as Record<string, string>) as Delivery;
  } catch {
    response.writeHead(401).end();
    return;
  }
  // What could not be kept is to come again.
  const status = await keep(delivery).then(
    () => 204,
    () => 503,
  );
  response.writeHead(status).end();
}).listen(Number(process.env.PORT ?? 8080));

/** Put it into a queue of yours, once for each deliveryId; work it off after the answer. */
async function keep({ event, deliveryId, data }: Delivery): Promise<void> {
  console.log(event, deliveryId, data);
}
`;

const PYTHON = `
import os

from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])  # whsec_…


@app.post("/hooks")
def receive():
    # The body as it came: parsed and written anew, it would no longer fit its signature.
    body = request.get_data(as_text=True)
    try:
        delivery = webhook.verify(body, dict(request.headers))
    except WebhookVerificationError:
        return "", 401
    keep(delivery)
    return "", 204


def keep(delivery):
    """Put it into a queue of yours, once for each deliveryId; work it off after the answer."""
    print(delivery["event"], delivery["deliveryId"], delivery["data"])
`;

const GO = `
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type Delivery struct {
	Event      string          \`json:"event"\`
	DeliveryID string          \`json:"deliveryId"\`
	Data       json.RawMessage \`json:"data"\`
}

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET")) // whsec_…
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/hooks", func(w http.ResponseWriter, r *http.Request) {
		// The body as it came: parsed and written anew, it would no longer fit its signature.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if err := webhook.Verify(body, r.Header); err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var delivery Delivery
		if err := json.Unmarshal(body, &delivery); err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		keep(delivery)
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}

// keep puts it into a queue of yours, once for each DeliveryID; work it off after the answer.
func keep(delivery Delivery) {
	log.Println(delivery.Event, delivery.DeliveryID, string(delivery.Data))
}
`;

const RUBY = `
require "sinatra"
require "standardwebhooks"

webhook = StandardWebhooks::Webhook.new(ENV.fetch("WEBHOOK_SECRET")) # whsec_…

post "/hooks" do
  # The body as it came: parsed and written anew, it would no longer fit its signature.
  body = request.body.read
  headers = {
    "webhook-id" => request.get_header("HTTP_WEBHOOK_ID"),
    "webhook-timestamp" => request.get_header("HTTP_WEBHOOK_TIMESTAMP"),
    "webhook-signature" => request.get_header("HTTP_WEBHOOK_SIGNATURE"),
  }
  begin
    delivery = webhook.verify(body, headers)
  rescue StandardWebhooks::WebhookVerificationError
    halt 401
  end
  keep(delivery)
  status 204
end

# Put it into a queue of yours, once for each deliveryId; work it off after the answer.
def keep(delivery)
  puts delivery.values_at("event", "deliveryId", "data").inspect
end
`;

export const RECEIVERS: readonly Receiver[] = [
  { name: "TypeScript", language: "typescript", install: "npm install standardwebhooks", file: "receiver.ts", code: TYPESCRIPT.trim() },
  { name: "Python", language: "python", install: "pip install standardwebhooks flask", file: "receiver.py", code: PYTHON.trim() },
  {
    name: "Go",
    language: "go",
    install: "go get github.com/standard-webhooks/standard-webhooks/libraries/go",
    file: "main.go",
    code: GO.trim(),
  },
  { name: "Ruby", language: "ruby", install: "gem install standardwebhooks sinatra", file: "receiver.rb", code: RUBY.trim() },
];

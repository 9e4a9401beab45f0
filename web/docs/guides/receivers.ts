import type { Language } from "../code/highlight.ts";

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
  let delivery: Delivery;
  try {
    // The raw body: parsed and serialised again, it would not match its signature. Reading fails if the client hangs up.
    const body = await text(request);
    delivery = webhook.verify(body, request.headers as Record<string, string>) as Delivery;
  } catch {
    response.writeHead(401).end();
    return;
  }
  // A delivery that could not be stored is sent again.
  const status = await keep(delivery).then(
    () => 204,
    () => 503,
  );
  response.writeHead(status).end();
}).listen(Number(process.env.PORT ?? 8080));

/** Store it in your own queue, once per deliveryId; process it after responding. */
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
    # The raw body: parsed and serialised again, it would not match its signature.
    body = request.get_data(as_text=True)
    try:
        delivery = webhook.verify(body, dict(request.headers))
    except (WebhookVerificationError, ValueError):
        return "", 401
    keep(delivery)
    return "", 204


def keep(delivery):
    """Store it in your own queue, once per deliveryId; process it after responding."""
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
		// The raw body: parsed and serialised again, it would not match its signature.
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

// keep stores it in your own queue, once per DeliveryID; process it after responding.
func keep(delivery Delivery) {
	log.Println(delivery.Event, delivery.DeliveryID, string(delivery.Data))
}
`;

const JAVA = `
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

public class Receiver {
    public static void main(String[] args) throws Exception {
        var webhook = new Webhook(System.getenv("WEBHOOK_SECRET")); // whsec_…
        var server = HttpServer.create(new InetSocketAddress(8080), 0);
        server.createContext("/hooks", exchange -> {
            // The raw body: parsed and serialised again, it would not match its signature.
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(receive(webhook, body, exchange.getRequestHeaders()), -1);
            exchange.close();
        });
        server.start();
    }

    static int receive(Webhook webhook, String body, Map<String, List<String>> headers) {
        try {
            webhook.verify(body, headers);
        } catch (WebhookVerificationException e) {
            return 401;
        }
        keep(body);
        return 204;
    }

    /** Store it in your own queue, once per deliveryId; process it after responding. */
    static void keep(String delivery) {
        System.out.println(delivery);
    }
}
`;

const CSHARP = `
using System.Net;
using System.Text.Json;
using StandardWebhooks;
using StandardWebhooks.Exceptions;

var app = WebApplication.CreateBuilder(args).Build();
var webhook = new Webhook(Environment.GetEnvironmentVariable("WEBHOOK_SECRET")!); // whsec_…

app.MapPost("/hooks", async (HttpRequest request) =>
{
    // The raw body: parsed and serialised again, it would not match its signature.
    using var reader = new StreamReader(request.Body);
    var body = await reader.ReadToEndAsync();
    var headers = new WebHeaderCollection();
    foreach (var name in new[] { "webhook-id", "webhook-timestamp", "webhook-signature" })
        headers[name] = request.Headers[name];
    try
    {
        webhook.Verify(body, headers);
    }
    catch (WebhookVerificationException)
    {
        return Results.Unauthorized();
    }
    Keep(JsonDocument.Parse(body).RootElement);
    return Results.NoContent();
});

app.Run("http://0.0.0.0:8080");

// Store it in your own queue, once per deliveryId; process it after responding.
static void Keep(JsonElement delivery) =>
    Console.WriteLine($"{delivery.GetProperty("event")} {delivery.GetProperty("deliveryId")} {delivery.GetProperty("data")}");
`;

const PHP = `
<?php
require 'vendor/autoload.php';

use StandardWebhooks\\Exception\\WebhookVerificationException;
use StandardWebhooks\\Webhook;

// An error that PHP prints is answered with 200, and the delivery would not be sent again.
ini_set('display_errors', '0');

$webhook = new Webhook(getenv('WEBHOOK_SECRET')); // whsec_…

// The raw body: parsed and serialised again, it would not match its signature.
$body = file_get_contents('php://input');
try {
    $delivery = $webhook->verify($body, array_change_key_case(getallheaders()));
} catch (WebhookVerificationException | TypeError) {
    http_response_code(401);
    exit;
}
keep($delivery);
http_response_code(204);

/** Store it in your own queue, once per deliveryId; process it after responding. */
function keep(array $delivery): void
{
    error_log($delivery['event'] . ' ' . $delivery['deliveryId'] . ' ' . json_encode($delivery['data']));
}
`;

const RUBY = `
require "json"
require "sinatra"
require "standardwebhooks"

webhook = StandardWebhooks::Webhook.new(ENV.fetch("WEBHOOK_SECRET")) # whsec_…

post "/hooks" do
  # The raw body: parsed and serialised again, it would not match its signature.
  body = request.body.read
  headers = {
    "webhook-id" => request.get_header("HTTP_WEBHOOK_ID"),
    "webhook-timestamp" => request.get_header("HTTP_WEBHOOK_TIMESTAMP"),
    "webhook-signature" => request.get_header("HTTP_WEBHOOK_SIGNATURE"),
  }
  begin
    webhook.verify(body, headers)
  rescue StandardWebhooks::WebhookVerificationError
    halt 401
  end
  # Parsed here: versions of the library differ in whether its keys are strings or symbols.
  keep(JSON.parse(body))
  status 204
end

# Store it in your own queue, once per deliveryId; process it after responding.
def keep(delivery)
  puts delivery.values_at("event", "deliveryId", "data").inspect
end
`;

const receiver = (name: string, language: Language, install: string, file: string, code: string): Receiver => ({
  name,
  language,
  install,
  file,
  code: code.trim(),
});

export const RECEIVERS: readonly Receiver[] = [
  receiver("TypeScript", "typescript", "npm install standardwebhooks\nnode receiver.ts", "receiver.ts", TYPESCRIPT),
  receiver("Python", "python", "pip install standardwebhooks flask\nflask --app receiver run --port 8080", "receiver.py", PYTHON),
  receiver(
    "Go",
    "go",
    `go mod init receiver
go get github.com/standard-webhooks/standard-webhooks/libraries/go
go run .`,
    "main.go",
    GO,
  ),
  receiver(
    "Java",
    "java",
    `mvn dependency:get -Dartifact=com.standardwebhooks:standardwebhooks:1.1.1
java -cp ~/.m2/repository/com/standardwebhooks/standardwebhooks/1.1.1/standardwebhooks-1.1.1.jar Receiver.java`,
    "Receiver.java",
    JAVA,
  ),
  receiver("C#", "csharp", "dotnet add package StandardWebhooks.StandardWebhooks\ndotnet run", "Program.cs", CSHARP),
  receiver("PHP", "php", "composer require standard-webhooks/standard-webhooks\nphp -S 0.0.0.0:8080 receiver.php", "receiver.php", PHP),
  receiver(
    "Ruby",
    "ruby",
    "gem install standardwebhooks sinatra rackup puma\nAPP_ENV=production ruby receiver.rb -p 8080",
    "receiver.rb",
    RUBY,
  ),
];

package example;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A project of the engagement service for a test: its own players, clock and webhooks. Removed with all its data by close(). */
public final class Engagement implements AutoCloseable {
  private static final Gson GSON = new Gson();

  /** For the app under test. */
  public final String url;
  public final String key;

  /** Offering HTTP/2 would end the connection with each call, and a large body that is refused with it. */
  private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String token;
  private final String home;
  private final String project;
  private final JsonObject listener;
  private final String secret;
  private final List<JsonObject> webhooks = new ArrayList<>();
  private JsonArray done = new JsonArray();
  private Duration ahead = Duration.ZERO;

  /** With a definitions file, or all *.json below a folder as one. */
  public Engagement(Path definitions) throws Exception {
    url = System.getenv("ENGAGEMENT_URL").replaceAll("/$", "");
    token = System.getenv("ENGAGEMENT_TOKEN");
    home = call("projects/me", Map.of()).getAsJsonArray("projects").get(0).getAsJsonObject().get("slug").getAsString();
    project = call("testProjects/create", Map.of("project", home)).get("slug").getAsString();
    listener = inSandbox(Map.of("name", "tests", "session", UUID.randomUUID().toString()));
    JsonObject start = listener.deepCopy();
    start.add("start", new JsonObject());
    try {
      key = call("keys/create", inSandbox(Map.of("name", "tests"))).get("key").getAsString();
      secret = call("webhooks/listen", start).get("secret").getAsString();
      define(definitions);
    } catch (Exception | AssertionError error) {
      close();
      throw error;
    }
  }

  public void define(Path definitions) throws Exception {
    Path folder = Files.isDirectory(definitions) ? definitions : definitions.toAbsolutePath().getParent();
    JsonObject whole = new JsonObject();
    whole.addProperty("version", 1);
    try (var files = Files.walk(definitions)) {
      for (Path file : files.filter(one -> isDefinitions(folder, one)).sorted().toList()) {
        for (var member : JsonParser.parseString(Files.readString(file)).getAsJsonObject().entrySet()) {
          boolean isList = member.getValue().isJsonArray() && whole.has(member.getKey());
          if (isList) whole.getAsJsonArray(member.getKey()).addAll(member.getValue().getAsJsonArray());
          else whole.add(member.getKey(), member.getValue());
        }
      }
    }
    if (!whole.has("images")) whole.add("images", imagesIn(folder.resolve("images"), whole.toString()));
    // A call takes 4 MiB, in which the file is a text: of a larger one, each image goes before the rest.
    if (GSON.toJson(whole.toString()).length() > 4_000_000) {
      for (JsonElement image : whole.remove("images").getAsJsonArray())
        importText(GSON.toJson(Map.of("version", 1, "images", List.of(image))));
    }
    importText(whole.toString());
  }

  private void importText(String text) throws Exception {
    JsonArray problems = call("definitions/importFile", inSandbox(Map.of("text", text, "dryRun", false))).getAsJsonArray("problems");
    if (!problems.isEmpty()) throw new AssertionError(problems);
  }

  /** Leaves out scenarios, packages and hidden folders. */
  private static boolean isDefinitions(Path folder, Path file) {
    String name = folder.toAbsolutePath().relativize(file.toAbsolutePath()).toString();
    return name.endsWith(".json") && !name.endsWith(".scenarios.json") && !name.matches("(.*[/\\\\])?(\\.|node_modules[/\\\\]).*");
  }

  /** The uploaded images that the text names, each in a file named by its id: a new project does not have them. */
  private static JsonArray imagesIn(Path folder, String text) throws IOException {
    JsonArray images = new JsonArray();
    if (!Files.isDirectory(folder)) return images;
    try (var files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String id = file.getFileName().toString().replaceFirst("\\..*", "");
        if (!text.contains('"' + id + '"')) continue;
        String bytes = Base64.getEncoder().encodeToString(Files.readAllBytes(file));
        images.add(GSON.toJsonTree(Map.of("id", id, "bytes", bytes)));
      }
    }
    return images;
  }

  /** Any request of the public API. */
  public JsonElement api(String method, String path, Object body) throws Exception {
    return request(method, path, key, body == null ? null : GSON.toJsonTree(body));
  }

  /** The status of one of the player's missions. Reading them enters the player: events count from then on. */
  public String status(String player, String mission) throws Exception {
    for (JsonElement one : api("POST", "/v1/missions", Map.of("playerId", player, "includeCompleted", true)).getAsJsonArray()) {
      JsonObject found = one.getAsJsonObject();
      if (found.get("missionKey").getAsString().equals(mission)) return found.get("status").getAsString();
    }
    return null;
  }

  public int points(String player) throws Exception {
    String query = "PlayerId=" + URLEncoder.encode(player, StandardCharsets.UTF_8);
    return api("GET", "/v1/points?" + query, null).getAsJsonObject().get("balance").getAsInt();
  }

  public void send(String player, String event) throws Exception {
    var item = Map.of("playerId", player, "event", event, "occurredAt", Instant.now().plus(ahead).toString());
    JsonObject answer = api("POST", "/v1/events", Map.of("events", List.of(item))).getAsJsonObject();
    if (answer.get("rejected").getAsInt() > 0) throw new AssertionError(answer);
  }

  /** Returns once everything accepted before has been applied. */
  public void settled() throws Exception {
    JsonObject wanted = inSandbox(Map.of("deliveries", false, "withinMs", 20_000));
    wanted.add("player", null);
    JsonObject found = call("work/settled", wanted);
    if (!found.get("isSettled").getAsBoolean() || found.get("quarantined").getAsInt() > 0) throw new AssertionError(found);
  }

  /** Moves the project's clock by an ISO 8601 duration such as P1D, and does what falls due on the way. */
  public void advance(String duration) throws Exception {
    Instant now = Instant.parse(call("work/moveClock", inSandbox(Map.of("by", duration))).get("now").getAsString());
    Duration found = Duration.between(Instant.now(), now);
    if (found.compareTo(ahead) > 0) ahead = found;
  }

  /** The data of the next webhook of that event about that player, its signature verified. */
  public JsonObject webhook(String event, String player) throws Exception {
    for (Instant end = Instant.now().plusSeconds(10); ; ) {
      for (JsonObject one : webhooks) {
        JsonElement about = one.getAsJsonObject("data").get("playerExternalId");
        if (!one.get("event").getAsString().equals(event) || about == null || !about.getAsString().equals(player)) continue;
        webhooks.remove(one);
        return one.getAsJsonObject("data");
      }
      if (Instant.now().isAfter(end)) throw new AssertionError("no " + event + " about " + player + "; there were " + webhooks);
      JsonObject wanted = listener.deepCopy();
      wanted.add("done", done);
      wanted.addProperty("waitMs", 1_000);
      done = new JsonArray();
      for (JsonElement copy : call("webhooks/listen", wanted).getAsJsonArray("copies")) {
        verify(copy.getAsJsonObject());
        done.add(copy.getAsJsonObject().get("id"));
        webhooks.add(JsonParser.parseString(copy.getAsJsonObject().get("body").getAsString()).getAsJsonObject());
      }
    }
  }

  @Override
  public void close() throws Exception {
    call("testProjects/remove", Map.of("project", home, "slug", project));
  }

  private JsonObject inSandbox(Map<String, ?> values) {
    JsonObject whole = GSON.toJsonTree(values).getAsJsonObject();
    whole.addProperty("project", project);
    whole.addProperty("environment", "sandbox");
    return whole;
  }

  /** What the dashboard calls: a token is needed, and both directions are wrapped in "json". */
  private JsonObject call(String procedure, Object values) throws Exception {
    JsonElement answer = request("POST", "/rpc/" + procedure, token, GSON.toJsonTree(Map.of("json", GSON.toJsonTree(values))));
    JsonElement json = answer.getAsJsonObject().get("json");
    return json == null || !json.isJsonObject() ? new JsonObject() : json.getAsJsonObject();
  }

  private JsonElement request(String method, String path, String credential, JsonElement body) throws IOException, InterruptedException {
    var content = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body.toString());
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("authorization", "Bearer " + credential)
            .header("content-type", "application/json")
            .method(method, content)
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    // 429 had no effect: calls of other workers are under way.
    for (Instant end = Instant.now().plusSeconds(60); answer.statusCode() == 429 && Instant.now().isBefore(end); ) {
      Thread.sleep(500);
      answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    }
    if (answer.statusCode() >= 300) throw new AssertionError(path + " answered " + answer.statusCode() + ": " + answer.body());
    return JsonParser.parseString(answer.body().isEmpty() ? "{}" : answer.body());
  }

  /** Standard Webhooks: https://www.standardwebhooks.com. */
  private void verify(JsonObject copy) throws GeneralSecurityException {
    JsonObject headers = copy.getAsJsonObject("headers");
    String signed =
        headers.get("webhook-id").getAsString() + "." + headers.get("webhook-timestamp").getAsString() + "." + copy.get("body").getAsString();
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)))).getBytes();
    String[] signatures = headers.get("webhook-signature").getAsString().split(" ");
    if (Arrays.stream(signatures).noneMatch(one -> MessageDigest.isEqual(expected, one.getBytes())))
      throw new AssertionError("wrong signature");
  }
}

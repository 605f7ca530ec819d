import java.io.FileInputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.security.spec.*;
import java.time.*;
import java.util.*;
import java.util.regex.*;
import javax.net.ssl.*;

/**
 * An operator's back end in one file, for Java 17 or later with nothing beside it: `java Operator.java pull` brings a copy of what is shared up to
 * date, `acknowledge` deletes what is due and says so, `verify FILE` judges webhook deliveries that were recorded with their keys.
 *
 * BASE_URL, ENVIRONMENT (sandbox or production), P12 and P12_PASSWORD name the machine API and the client. The copy is one file, which is replaced
 * whole: that is its transaction. Put your database in its place, and `judge` into your server.
 */
public class Operator {
  static final Path COPY = Path.of("copy.json");
  static final long LONGEST_WAIT = 75; // seconds: a quota of a minute opens within it

  public static void main(String[] args) throws Exception {
    switch (args.length == 0 ? "" : args[0]) {
      case "pull" -> pull();
      case "acknowledge" -> acknowledge();
      case "verify" -> verify(args[1]);
      default -> throw new IllegalArgumentException("pull, acknowledge or verify FILE?");
    }
  }

  // --- Sync and deletions ---

  static class Problem extends Exception {
    final String code;

    Problem(Map<String, Object> problem) {
      super(problem.get("code") + " (" + problem.get("request_id") + "): " + problem.get("detail"));
      code = (String) problem.get("code");
    }
  }

  static HttpClient client() throws Exception {
    var password = System.getenv("P12_PASSWORD").toCharArray();
    var store = KeyStore.getInstance("PKCS12");
    try (var file = new FileInputStream(System.getenv("P12"))) {
      store.load(file, password);
    }
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    var tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), null, null);
    return HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(10)).build();
  }

  /** An answer, after the pause that a refusal for too many requests asks for. Whatever else is refused is thrown. */
  static HttpResponse<String> call(HttpClient client, HttpRequest.Builder request) throws Exception {
    while (true) {
      var response = client.send(request.timeout(Duration.ofSeconds(40)).build(), HttpResponse.BodyHandlers.ofString());
      var status = response.statusCode();
      if (status == 200 || status == 304) return response;
      var seconds = response.headers().firstValueAsLong("Retry-After").orElse(1);
      if ((status != 429 && status != 503) || seconds > LONGEST_WAIT) throw new Problem(object(Json.parse(response.body())));
      Thread.sleep(seconds * 1000);
    }
  }

  static HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(System.getenv("BASE_URL") + path));
  }

  /** `unseen`: while the feed is followed from its beginning, what of the copy it has not brought yet. */
  static Map<String, Object> readCopy() throws Exception {
    var empty = "{\"client\":null,\"cursor\":null,\"etag\":null,\"unseen\":[],\"resources\":{},\"ended\":{},\"deletions\":{}}";
    return object(Json.parse(Files.exists(COPY) ? Files.readString(COPY) : empty));
  }

  /** All of it is on disk, or nothing of it. */
  static void commit(Map<String, Object> copy) throws Exception {
    var made = Path.of(COPY + ".new");
    try (var file = FileChannel.open(made, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
      var bytes = ByteBuffer.wrap(Json.text(copy).getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) file.write(bytes);
      file.force(true);
    }
    Files.move(made, COPY, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  static void pull() throws Exception {
    var client = client();
    var copy = readCopy();
    var capabilities = object(Json.parse(call(client, to("/capabilities")).body()));
    var id = capabilities.get("client_id");
    if (!capabilities.get("environment").equals(System.getenv("ENVIRONMENT")) || (copy.get("client") != null && !copy.get("client").equals(id)))
      throw new IllegalStateException("The certificate is for " + id + " in " + capabilities.get("environment") + ".");
    copy.put("client", id);
    for (var more = true; more; ) {
      var cursor = (String) copy.get("cursor");
      var request = to(cursor == null ? "/sync" : "/sync?updated_since=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8));
      if (copy.get("etag") != null) request.header("If-None-Match", (String) copy.get("etag"));
      HttpResponse<String> response;
      try {
        response = call(client, request);
      } catch (Problem problem) {
        if (!problem.code.equals("invalid_cursor")) throw problem;
        copy.put("cursor", null);
        copy.put("etag", null);
        copy.put("unseen", new ArrayList<>(object(copy.get("resources")).keySet()));
        continue;
      }
      if (response.statusCode() == 304) return;
      var page = object(Json.parse(response.body()));
      apply(copy, page);
      // The answer to a cursor that stays is the same until something changes.
      copy.put("etag", page.get("next_cursor").equals(cursor) ? response.headers().firstValue("ETag").orElse(null) : null);
      copy.put("cursor", page.get("next_cursor"));
      more = (Boolean) page.get("has_more");
      if (!more) {
        object(copy.get("resources")).keySet().removeAll(list(copy.get("unseen")));
        copy.put("unseen", new ArrayList<>());
      }
      commit(copy);
    }
  }

  /** The page is applied whole. Applied twice it does no harm. */
  static void apply(Map<String, Object> copy, Map<String, Object> page) {
    var resources = object(copy.get("resources"));
    var ended = object(copy.get("ended"));
    var deletions = object(copy.get("deletions"));
    var unseen = new LinkedHashSet<>(list(copy.get("unseen")));
    for (var each : list(page.get("upserts"))) {
      var snapshot = object(each);
      var id = (String) snapshot.get("id");
      var held = resources.get(id);
      unseen.remove(id);
      // What has ended never comes back, even if a page was read before it did.
      if (!ended.containsKey(id) && (held == null || number(snapshot, "revision") > number(object(held), "revision"))) resources.put(id, snapshot);
    }
    for (var each : list(page.get("tombstones"))) {
      var tombstone = object(each);
      var revocation = (String) tombstone.get("revocation_id");
      var gone = new ArrayList<String>();
      if (tombstone.containsKey("resource")) gone.add((String) object(tombstone.get("resource")).get("id"));
      else for (var held : resources.entrySet())
        if (object(held.getValue()).get("connection_id").equals(tombstone.get("connection_id"))) gone.add(held.getKey());
      for (var id : gone) {
        resources.remove(id);
        ended.put(id, revocation);
      }
      var due = object(deletions.computeIfAbsent(revocation, (id) -> new TreeMap<>(Map.of("complete", false))));
      due.put("deadline", tombstone.get("deletion_deadline_at"));
      // All of a connection's tombstones come before the one of the connection itself, which names no resource.
      var whole = object(tombstone.get("subject")).get("type").equals("connection");
      if (!whole || !tombstone.containsKey("resource")) due.put("complete", true);
    }
    copy.put("unseen", new ArrayList<>(unseen));
  }

  static void acknowledge() throws Exception {
    var client = client();
    var copy = readCopy();
    var deletions = object(copy.get("deletions"));
    var due = deletions.keySet().stream()
        .filter((id) -> (Boolean) object(deletions.get(id)).get("complete") && !object(deletions.get(id)).containsKey("outcome"))
        .sorted(Comparator.comparing((id) -> (String) object(deletions.get(id)).get("deadline"))).toList();
    for (var id : due) {
      // The records have left the copy. Delete here whatever you have made of them: indexes, files, exports, caches.
      String outcome;
      try {
        var body = HttpRequest.BodyPublishers.ofString("{\"deletion_completed\":true}");
        var request = to("/revocations/" + id + "/ack").header("Content-Type", "application/json").header("Idempotency-Key", "deleted-" + id);
        outcome = (String) object(Json.parse(call(client, request.POST(body)).body())).get("acknowledged_at");
      } catch (Problem problem) {
        // Too late, or gone with regenerated test data. Record it in the portal where it is listed there.
        if (!Set.of("acknowledgement_window_closed", "not_found").contains(problem.code)) throw problem;
        outcome = problem.code;
      }
      object(deletions.get(id)).put("outcome", outcome);
      commit(copy);
      System.out.println(id + " " + outcome);
    }
  }

  // --- Webhooks ---

  static final List<String> COVERED = List.of("@method", "@target-uri", "content-digest", "x-svc-event-id", "x-svc-event-timestamp");
  static final Set<String> TYPES = Set.of("connection.created", "resource.granted", "resource.updated", "resource.revoked", "connection.revoked",
      "statistics.updated", "integration.suspended");
  static final int MAXIMUM_BODY = 64 * 1024;

  /** What to trust: the registered URL, the keys of the key set by their kid, and whom the event must be from and for. */
  record Expected(String url, Map<String, PublicKey> keys, String source, String environment, long freshnessSeconds) {}

  static class Refusal extends Exception {
    final int status;

    Refusal(int status, String reason) {
      super(reason);
      this.status = status;
    }
  }

  /**
   * Judges a delivery by the seven rules, in their order: returns the event, or throws with the status to answer. `headers` have their names in
   * lower case. Before you answer 204, commit the event's id; to one that you have committed before, answer 204 without applying it again.
   */
  static Map<String, Object> judge(String method, String target, Map<String, String> headers, byte[] body, Instant receivedAt, Expected expected)
      throws Exception {
    if (!method.equals("POST")) throw new Refusal(405, "only POST");
    if (!target.equals(expected.url.replaceFirst("^https://[^/?]*", ""))) throw new Refusal(404, "not the registered route");
    if (body.length > MAXIMUM_BODY) throw new Refusal(413, "too large");
    var input = dictionary(field(headers, "signature-input")).get("svc");
    if (input == null || !COVERED.stream().map((name) -> '"' + name + '"').toList().equals(input.items))
      throw new Refusal(401, "not the components that every delivery covers");
    var parameters = input.parameters;
    var keyid = parameters.getOrDefault("keyid", "");
    if (!parameters.getOrDefault("created", "").matches("\\d{1,15}") || !keyid.startsWith("\"") || !"\"ed25519\"".equals(parameters.get("alg")))
      throw new Refusal(401, "parameters are missing");
    var key = expected.keys.get(keyid.substring(1, keyid.length() - 1).replaceAll("\\\\(.)", "$1"));
    if (key == null) throw new Refusal(401, "unknown key");
    var digest = bytes(dictionary(field(headers, "content-digest")).get("sha-256"));
    if (!MessageDigest.isEqual(digest, MessageDigest.getInstance("SHA-256").digest(body))) throw new Refusal(400, "wrong digest");
    var base = new StringBuilder();
    for (var name : COVERED) {
      var value = name.equals("@method") ? "POST" : name.equals("@target-uri") ? expected.url : field(headers, name);
      base.append('"').append(name).append("\": ").append(value).append('\n');
    }
    base.append("\"@signature-params\": ").append(input.text);
    var signature = Signature.getInstance("Ed25519");
    signature.initVerify(key);
    signature.update(base.toString().getBytes(StandardCharsets.ISO_8859_1));
    try {
      if (!signature.verify(bytes(dictionary(field(headers, "signature")).get("svc")))) throw new Refusal(401, "wrong signature");
    } catch (SignatureException malformed) {
      throw new Refusal(401, "wrong signature");
    }
    if (Math.abs(receivedAt.getEpochSecond() - Long.parseLong(parameters.get("created"))) > expected.freshnessSeconds)
      throw new Refusal(401, "too old, or from the future");
    Map<String, Object> event;
    try {
      var decoder = StandardCharsets.UTF_8.newDecoder();
      event = object(Json.parse(decoder.decode(ByteBuffer.wrap(body)).toString()));
    } catch (Exception | StackOverflowError unreadable) {
      throw new Refusal(400, "not a JSON object");
    }
    if (!field(headers, "x-svc-event-id").equals(event.get("id"))) throw new Refusal(400, "another event ID than was signed");
    if (!field(headers, "x-svc-event-timestamp").equals(event.get("time"))) throw new Refusal(400, "another time than was signed");
    if (!expected.source.equals(event.get("source"))) throw new Refusal(400, "unexpected source");
    if (!expected.environment.equals(event.get("environment"))) throw new Refusal(400, "unexpected environment");
    if (!(event.get("type") instanceof String type) || !TYPES.contains(type)) throw new Refusal(400, "unexpected type");
    return event;
  }

  static String field(Map<String, String> headers, String name) throws Refusal {
    var value = headers.get(name);
    if (value == null) throw new Refusal(401, name + " is missing");
    return value;
  }

  /** A member of a dictionary; values are kept as they were sent. `text` is all of it: of Signature-Input, this is what was signed. */
  record Member(String text, String value, List<String> items, Map<String, String> parameters) {}

  static final Pattern NAME = Pattern.compile("[a-z*][a-z0-9_.*-]*");
  /** An item that is no list: string, bytes, boolean, number or date, display string, token. */
  static final Pattern ITEM = Pattern.compile("\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\])*\"|:[A-Za-z0-9+/]*={0,2}:|\\?[01]|@-?[0-9]{1,15}"
      + "|-?(?:[0-9]{1,12}\\.[0-9]{1,3}|[0-9]{1,15})|%\"(?:[ !#$&-~]|%[0-9a-f]{2})*\"|[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*");

  /** A header that is a dictionary (RFC 9651), with every form that other members may have. One that is not well formed is refused. */
  static Map<String, Member> dictionary(String text) throws Refusal {
    var in = new Scan(text);
    var members = new HashMap<String, Member>();
    while (true) {
      var name = in.take(NAME);
      var hasValue = in.skip("=");
      var start = in.at;
      var items = new ArrayList<String>();
      var isList = hasValue && in.skip("( *");
      if (isList) {
        while (!in.skip(")")) {
          var from = in.at;
          in.take(ITEM);
          in.parameters();
          items.add(text.substring(from, in.at));
          if (!in.sees(")")) in.take(Pattern.compile(" +"));
        }
      } else if (hasValue) in.take(ITEM);
      var value = hasValue ? text.substring(start, in.at) : "?1";
      var parameters = in.parameters();
      members.put(name, new Member(text.substring(start, in.at), value, isList ? items : null, parameters));
      if (text.substring(in.at).isBlank()) return members;
      in.take(Pattern.compile("[ \\t]*,[ \\t]*"));
    }
  }

  static class Scan {
    final String text;
    int at = 0;

    Scan(String text) {
      this.text = text;
    }

    String take(Pattern pattern) throws Refusal {
      var found = pattern.matcher(text).region(at, text.length());
      if (!found.lookingAt()) throw new Refusal(401, "a structured field is not well formed");
      at = found.end();
      return found.group();
    }

    boolean sees(String start) {
      return text.startsWith(start, at);
    }

    /** Skips this text; if it ends with an asterisk, also the spaces behind it. */
    boolean skip(String start) {
      var exact = start.endsWith(" *") ? start.substring(0, start.length() - 2) : start;
      if (!sees(exact)) return false;
      for (at += exact.length(); !exact.equals(start) && sees(" "); ) at += 1;
      return true;
    }

    Map<String, String> parameters() throws Refusal {
      var found = new HashMap<String, String>();
      while (skip("; *")) {
        var name = take(NAME);
        found.put(name, skip("=") ? take(ITEM) : "?1");
      }
      return found;
    }
  }

  static byte[] bytes(Member member) {
    if (member == null || !member.value.startsWith(":")) return new byte[0];
    try {
      return Base64.getDecoder().decode(member.value.replaceAll("[:=]", ""));
    } catch (IllegalArgumentException notBase64) {
      return new byte[0];
    }
  }

  /** Judges each delivery of a file such as the kit's vectors/deliveries.json, and prints the status that it is answered with. */
  static void verify(String file) throws Exception {
    var recorded = object(Json.parse(Files.readString(Path.of(file))));
    var keys = new HashMap<String, PublicKey>();
    for (var each : list(object(recorded.get("jwks")).get("keys"))) {
      var jwk = object(each);
      // The key's DER is always this, and then its 32 bytes (RFC 8410).
      var der = ByteBuffer.allocate(44).put(HexFormat.of().parseHex("302a300506032b6570032100")).put(Base64.getUrlDecoder().decode((String) jwk.get("x")));
      keys.put((String) jwk.get("kid"), KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(der.array())));
    }
    var expected = new Expected((String) recorded.get("url"), keys, (String) recorded.get("source"), (String) recorded.get("environment"),
        (long) number(recorded, "freshness_seconds"));
    for (var each : list(recorded.get("vectors"))) {
      var vector = object(each);
      var headers = new HashMap<String, String>();
      object(vector.get("headers")).forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), (String) value));
      var body = vector.get("body_repeat") != null ? new byte[(int) number(object(vector.get("body_repeat")), "count")]
          : vector.get("body_base64") != null ? Base64.getDecoder().decode((String) vector.get("body_base64"))
          : ((String) vector.get("body")).getBytes(StandardCharsets.UTF_8);
      var status = 204;
      try {
        judge((String) vector.get("method"), (String) vector.get("target"), headers, body, Instant.parse((String) recorded.get("received_at")), expected);
      } catch (Refusal refusal) {
        status = refusal.status;
      }
      System.out.println(status + " " + vector.get("name"));
    }
  }

  // --- JSON, for which Java has no library of its own ---

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  static List<Object> list(Object value) {
    return (List<Object>) value;
  }

  static double number(Map<String, Object> object, String name) {
    return ((Number) object.get(name)).doubleValue();
  }

  static class Json {
    static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?");
    final String text;
    int at = 0;

    Json(String text) {
      this.text = text;
    }

    static Object parse(String text) {
      var json = new Json(text);
      var value = json.value();
      json.peek();
      if (json.at != text.length()) throw new IllegalArgumentException("JSON at " + json.at);
      return value;
    }

    char peek() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at += 1;
      return at < text.length() ? text.charAt(at) : 0;
    }

    void expect(String word) {
      peek();
      if (!text.startsWith(word, at)) throw new IllegalArgumentException("JSON at " + at);
      at += word.length();
    }

    Object value() {
      return switch (peek()) {
        case '{' -> members();
        case '[' -> elements();
        case '"' -> string();
        case 't' -> word("true", true);
        case 'f' -> word("false", false);
        case 'n' -> word("null", null);
        default -> {
          var found = NUMBER.matcher(text).region(at, text.length());
          if (!found.lookingAt()) throw new IllegalArgumentException("JSON at " + at);
          at = found.end();
          yield new java.math.BigDecimal(found.group());
        }
      };
    }

    Object word(String word, Object value) {
      expect(word);
      return value;
    }

    Map<String, Object> members() {
      var found = new LinkedHashMap<String, Object>();
      expect("{");
      while (peek() != '}') {
        if (!found.isEmpty()) expect(",");
        peek();
        var name = string();
        expect(":");
        found.put(name, value());
      }
      expect("}");
      return found;
    }

    List<Object> elements() {
      var found = new ArrayList<Object>();
      expect("[");
      while (peek() != ']') {
        if (!found.isEmpty()) expect(",");
        found.add(value());
      }
      expect("]");
      return found;
    }

    String string() {
      expect("\"");
      var found = new StringBuilder();
      for (char next; (next = text.charAt(at++)) != '"'; ) {
        if (next < ' ') throw new IllegalArgumentException("JSON at " + at);
        if (next != '\\') found.append(next);
        else if ((next = text.charAt(at++)) == 'u') found.append((char) Integer.parseInt(text.substring(at, at += 4), 16));
        else {
          var place = "\"\\/bfnrt".indexOf(next);
          if (place < 0) throw new IllegalArgumentException("JSON at " + at);
          found.append("\"\\/\b\f\n\r\t".charAt(place));
        }
      }
      return found.toString();
    }

    static String text(Object value) {
      if (value instanceof Map<?, ?> map)
        return map.entrySet().stream().map((each) -> text(each.getKey()) + ":" + text(each.getValue())).collect(java.util.stream.Collectors.joining(",", "{", "}"));
      if (value instanceof List<?> list) return list.stream().map(Json::text).collect(java.util.stream.Collectors.joining(",", "[", "]"));
      if (!(value instanceof String string)) return String.valueOf(value);
      var written = new StringBuilder("\"");
      for (var each : string.toCharArray()) written.append(each < ' ' || each == '"' || each == '\\' ? String.format("\\u%04x", (int) each) : each);
      return written.append('"').toString();
    }
  }
}

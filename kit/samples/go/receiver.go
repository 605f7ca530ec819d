// A complete receiver of webhooks for Go 1.23 or later, with nothing but the standard library: `go run .`. It follows the seven rules of the
// guide in their order. Copy it, and put your own work where `work` is.
package main

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

var (
	registeredURL    = setting("WEBHOOK_URL")                   // exactly as registered in the portal
	jwksURL          = setting("JWKS_URL")                      // {portal}/.well-known/svc-integration-webhook-jwks.json
	source           = setting("EVENT_SOURCE")                  // the origin of the machine API
	environment      = setting("ENVIRONMENT")                   // sandbox or production
	answerChallenges = os.Getenv("ANSWER_CHALLENGES") == "true" // only while you prove the endpoint
	refreshEvery     = seconds("JWKS_REFRESH_SECONDS", 30)      // ours: at most one refresh for unknown keys in this time
	keysTrusted      = seconds("JWKS_TRUSTED_SECONDS", 86_400)  // ours: how long a key set that cannot be read again counts
)

const (
	maximumBody = 64 * 1024 // ours: a snapshot has at most 16,000 bytes
	tolerance   = 5 * 60    // ours: how many seconds `created` may differ from this clock
	keysKept    = time.Hour // as the key set's Cache-Control says
)

// now is the time of receipt.
var now = time.Now

var covered = []string{"@method", "@target-uri", "content-digest", "x-svc-event-id", "x-svc-event-timestamp"}

var types = []string{
	"connection.created", "resource.granted", "resource.updated", "resource.revoked", "connection.revoked", "statistics.updated",
	"integration.suspended",
}

// refusal is why a request is not accepted. A status of 5xx has it delivered again, 4xx ends the delivery.
type refusal struct {
	status int
	reason string
}

func (r refusal) Error() string { return r.reason }

func receive(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	// Rule 1: only POST, over HTTPS (this server speaks nothing else), on the exact registered route, and raw bytes under a limit.
	if r.Method != http.MethodPost {
		return nil, refusal{405, "only POST"}
	}
	if r.RequestURI != routeOf(registeredURL) {
		return nil, refusal{404, "not the registered route"}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maximumBody))
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return nil, refusal{413, "too large"}
	} else if err != nil {
		return nil, refusal{400, "the body broke off"}
	}
	if r.Header.Get("Signature-Input") == "" && r.Header.Get("Signature") == "" {
		return challenged(body)
	}

	// Rule 2: parse Signature-Input structurally, and pick the key by keyid.
	field, err := header(r, "Signature-Input")
	if err != nil {
		return nil, err
	}
	members, err := dictionary(field)
	if err != nil {
		return nil, err
	}
	input := members["svc"]
	if input == nil {
		return nil, refusal{401, "there is no signature with the label svc"}
	}
	if !slices.EqualFunc(input.items, covered, func(item, name string) bool { return item == `"`+name+`"` }) {
		return nil, refusal{401, "not the components that every delivery covers"}
	}
	created, err := strconv.ParseInt(input.parameters["created"], 10, 64)
	keyID := input.parameters["keyid"]
	if err != nil || !strings.HasPrefix(keyID, `"`) || input.parameters["alg"] != `"ed25519"` {
		return nil, refusal{401, "parameters are missing"}
	}
	key, err := keys.named(escapePattern.ReplaceAllString(keyID[1:len(keyID)-1], "$1"))
	if err != nil {
		return nil, err
	}

	// Rule 3: the digest of the raw body, compared in constant time.
	sent, err := header(r, "Content-Digest")
	if err != nil {
		return nil, err
	}
	digest, err := byteSequence(sent, "sha-256")
	if err != nil {
		return nil, err
	}
	computed := sha256.Sum256(body)
	if subtle.ConstantTimeCompare(digest, computed[:]) != 1 {
		return nil, refusal{400, "wrong digest"}
	}

	// Rule 4: the signature, before anybody parses the body. @target-uri is the registered URL, whatever a proxy has made of it.
	var base strings.Builder
	for _, name := range covered {
		value := map[string]string{"@method": "POST", "@target-uri": registeredURL}[name]
		if value == "" {
			if value, err = header(r, name); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(&base, "\"%s\": %s\n", name, value)
	}
	fmt.Fprintf(&base, "\"@signature-params\": %s", input.text)
	signatures, err := header(r, "Signature")
	if err != nil {
		return nil, err
	}
	signature, err := byteSequence(signatures, "svc")
	if err != nil {
		return nil, err
	}
	if !ed25519.Verify(key, []byte(base.String()), signature) {
		return nil, refusal{401, "wrong signature"}
	}

	// Rule 5: bounded freshness. The event ID against replays is rule 7's.
	if math.Abs(float64(now().Unix()-created)) > tolerance {
		return nil, refusal{401, "too old, or from the future"}
	}

	// Rule 6: parse, and compare with what was signed and what is expected.
	event, err := stringsOf(body)
	if err != nil {
		return nil, err
	}
	if id, _ := header(r, "X-SVC-Event-ID"); event["id"] != id {
		return nil, refusal{400, "another event ID than was signed"}
	}
	if at, _ := header(r, "X-SVC-Event-Timestamp"); event["time"] != at {
		return nil, refusal{400, "another time than was signed"}
	}
	if event["source"] != source {
		return nil, refusal{400, "unexpected source"}
	}
	if event["environment"] != environment {
		return nil, refusal{400, "unexpected environment"}
	}
	if !slices.Contains(types, event["type"]) {
		return nil, refusal{400, "unexpected type"}
	}

	// Rule 7: commit durably, then answer 2xx. A known ID is answered in the same way and causes nothing.
	isNew, err := store.commit(storedEvent{event["id"], event["type"], string(body)})
	if err != nil {
		return nil, err
	}
	if isNew {
		go work(event["id"], event["type"])
	}
	return nil, nil
}

// work is yours to fill. For example: pull GET /v1/sync from the stored cursor. What is delivered twice or out of order then does no harm. Pull once at
// each start too, since the process may have died before the work of the last events was done.
func work(id, eventType string) {
	fmt.Printf("applied %s %s\n", id, eventType)
}

// challenged answers the ownership challenge, which is unsigned and no event, but only while you are proving the endpoint.
func challenged(body []byte) ([]byte, error) {
	if !answerChallenges {
		return nil, refusal{401, "not signed"}
	}
	message, err := stringsOf(body)
	if err != nil {
		return nil, err
	}
	challenge, hasChallenge := message["challenge"]
	if message["type"] != "svc.webhook.verification" || !hasChallenge {
		return nil, refusal{401, "not signed"}
	}
	return json.Marshal(map[string]string{"challenge": challenge})
}

// stringsOf is what the members of a JSON object say that are strings. Names count as they are written: a struct would take "ID" for id, too.
func stringsOf(body []byte) (map[string]string, error) {
	var members map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &members) != nil || members == nil {
		return nil, refusal{400, "not a JSON object"}
	}
	found := map[string]string{}
	for name, text := range members {
		var value *string
		if json.Unmarshal(text, &value) == nil && value != nil {
			found[name] = *value
		}
	}
	return found, nil
}

// eventStore makes rule 7 true: one line for each event, on disk before the answer is sent. A line that was cut short by a crash was never
// answered with 2xx, so its event comes again.
type eventStore struct {
	lock  sync.Mutex
	file  *os.File
	size  int64 // of all lines that are on disk
	known map[string]bool
}

type storedEvent struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Body string `json:"body"`
}

func openStore(path string) *eventStore {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		log.Fatal(err)
	}
	s := &eventStore{file: file, known: map[string]bool{}}
	for lines := bufio.NewReader(file); ; {
		line, err := lines.ReadBytes('\n')
		var event storedEvent
		if err != nil || json.Unmarshal(line, &event) != nil {
			break
		}
		s.size += int64(len(line))
		s.known[event.ID] = true
	}
	if err := file.Truncate(s.size); err != nil {
		log.Fatal(err)
	}
	return s
}

func (s *eventStore) commit(event storedEvent) (bool, error) {
	line, err := json.Marshal(event)
	if err != nil {
		return false, err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.known[event.ID] {
		return false, nil
	}
	if err := s.write(append(line, '\n')); err != nil {
		return false, err
	}
	s.known[event.ID] = true
	return true, nil
}

// write adds a line, or nothing: a part of one, as a full disk leaves it, would hide all events behind it from the next start.
func (s *eventStore) write(line []byte) error {
	err := s.file.Truncate(s.size) // again, where that failed below
	if err == nil {
		_, err = s.file.Write(line)
	}
	if err == nil {
		err = s.file.Sync()
	}
	if err != nil {
		return errors.Join(err, s.file.Truncate(s.size))
	}
	s.size += int64(len(line))
	return nil
}

// keySet is read again after an hour, and for an unknown keyid, but never more often than the limit.
type keySet struct {
	lock   sync.Mutex
	keys   map[string]ed25519.PublicKey
	readAt time.Time
	// When it was last tried because the key set was old, and because a key was unknown: each has its own limit.
	triedOld, triedUnknown time.Time
}

func (k *keySet) named(kid string) (ed25519.PublicKey, error) {
	k.lock.Lock()
	defer k.lock.Unlock()
	fresh := false
	tried := &k.triedUnknown
	old := time.Since(k.readAt) >= min(keysKept, keysTrusted)
	if old {
		tried = &k.triedOld
	}
	if (old || k.keys[kid] == nil) && time.Since(*tried) >= refreshEvery {
		*tried = time.Now()
		fresh = k.read() == nil
	}
	// A key may have been revoked since, and an attacker who keeps the key set from us must gain nothing by it.
	if !fresh && time.Since(k.readAt) >= keysTrusted {
		return nil, refusal{503, "the key set has not been read for too long"}
	}
	if key := k.keys[kid]; key != nil {
		return key, nil
	}
	// An unknown key is never accepted. It is refused for good only if the key set was read just now: otherwise the delivery may come again.
	if fresh {
		return nil, refusal{401, "unknown key"}
	}
	return nil, refusal{503, "the key set cannot be read now"}
}

func (k *keySet) read() error {
	client := http.Client{Timeout: 5 * time.Second}
	response, err := client.Get(jwksURL)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the key set was answered with %d", response.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return err
	}
	var set map[string]json.RawMessage
	if err := json.Unmarshal(text, &set); err != nil {
		return err
	}
	var listed []json.RawMessage
	if err := json.Unmarshal(set["keys"], &listed); err != nil {
		return err
	}
	found := map[string]ed25519.PublicKey{}
	for _, text := range listed {
		key, err := stringsOf(text)
		if err != nil || key["kty"] != "OKP" || key["crv"] != "Ed25519" {
			continue
		}
		if x, err := base64.RawURLEncoding.DecodeString(key["x"]); err == nil && len(x) == ed25519.PublicKeySize {
			found[key["kid"]] = x
		}
	}
	k.keys, k.readAt = found, time.Now()
	return nil
}

// member is one of a dictionary. Values are kept as the text that was sent.
type member struct {
	text       string            // all of it behind the equals sign: of Signature-Input, this is what was signed
	value      string            // without the parameters
	items      []string          // of an inner list: each with its own parameters
	parameters map[string]string // a parameter without a value is true
}

var (
	keyPattern = regexp.MustCompile(`^[a-z*][a-z0-9_.*-]*`)
	// An item that is no list: string, bytes, boolean, number or date, display string, token.
	bareItemPattern = regexp.MustCompile(`^(?:"(?:[ !#-\[\]-~]|\\["\\])*"|:[A-Za-z0-9+/]*={0,2}:|\?[01]|@-?[0-9]{1,15}|-?(?:[0-9]{1,12}\.[0-9]{1,3}|[0-9]{1,15})` +
		`|%"(?:[ !#$&-~]|%[0-9a-f]{2})*"|[A-Za-z*][!#$%&'*+.^_` + "`" + `|~0-9A-Za-z:/-]*)`)
	openPattern   = regexp.MustCompile(`^\( *`)
	closePattern  = regexp.MustCompile(`^\)`)
	spacePattern  = regexp.MustCompile(`^ +`)
	commaPattern  = regexp.MustCompile(`^[ \t]*,[ \t]*`)
	semiPattern   = regexp.MustCompile(`^; *`)
	equalsPattern = regexp.MustCompile(`^=`)
	escapePattern = regexp.MustCompile(`\\(.)`)
	routePattern  = regexp.MustCompile(`^https://[^/?]*(.*)$`)
)

// dictionary reads a header that is one (RFC 9651), with every form that other members may have. One that is not well formed is refused.
func dictionary(field string) (members map[string]*member, err error) {
	malformed := refusal{401, "a structured field is not well formed"}
	rest := field
	take := func(pattern *regexp.Regexp) string {
		text := pattern.FindString(rest)
		if text == "" {
			panic(malformed)
		}
		rest = rest[len(text):]
		return text
	}
	since := func(start string) string { return start[:len(start)-len(rest)] }
	valueAhead := func() bool {
		ahead := strings.HasPrefix(rest, "=")
		if ahead {
			take(equalsPattern)
		}
		return ahead
	}
	parameters := func() map[string]string {
		found := map[string]string{}
		for strings.HasPrefix(rest, ";") {
			take(semiPattern)
			name := take(keyPattern)
			found[name] = "?1"
			if valueAhead() {
				found[name] = take(bareItemPattern)
			}
		}
		return found
	}
	innerList := func() (items []string) {
		take(openPattern)
		for !strings.HasPrefix(rest, ")") {
			start := rest
			take(bareItemPattern)
			parameters()
			items = append(items, since(start))
			if !strings.HasPrefix(rest, ")") {
				take(spacePattern)
			}
		}
		take(closePattern)
		return items
	}
	defer func() {
		if reason := recover(); reason == malformed {
			members, err = nil, malformed
		} else if reason != nil {
			panic(reason)
		}
	}()
	members = map[string]*member{}
	for {
		found := &member{value: "?1"}
		members[take(keyPattern)] = found
		hasValue := valueAhead()
		start := rest
		if hasValue && strings.HasPrefix(rest, "(") {
			found.items = innerList()
		} else if hasValue {
			take(bareItemPattern)
		}
		if hasValue {
			found.value = since(start)
		}
		found.parameters = parameters()
		found.text = since(start)
		if strings.Trim(rest, " \t") == "" {
			return members, nil
		}
		take(commaPattern)
	}
}

// byteSequence is a member of a dictionary, or nothing.
func byteSequence(field, label string) ([]byte, error) {
	members, err := dictionary(field)
	if err != nil {
		return nil, err
	}
	found := members[label]
	if found == nil || !strings.HasPrefix(found.value, ":") {
		return nil, nil
	}
	value, _ := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.Trim(found.value, ":"), "="))
	return value, nil
}

// routeOf is path and query as they are on the request line, with nothing normalized.
func routeOf(url string) string {
	route := ""
	if parts := routePattern.FindStringSubmatch(url); parts != nil {
		route = parts[1]
	}
	if strings.HasPrefix(route, "/") {
		return route
	}
	return "/" + route
}

func header(r *http.Request, name string) (string, error) {
	values := r.Header.Values(name)
	if len(values) == 0 {
		return "", refusal{401, name + " is missing"}
	}
	return strings.Join(values, ", "), nil
}

func setting(name string) string {
	value, ok := os.LookupEnv(name)
	if !ok {
		log.Fatalf("Set %s.", name)
	}
	return value
}

func seconds(name string, usual int) time.Duration {
	if value, err := strconv.Atoi(os.Getenv(name)); err == nil {
		usual = value
	}
	return time.Duration(usual) * time.Second
}

func answer(w http.ResponseWriter, r *http.Request) {
	body, err := receive(w, r)
	if err != nil {
		// What is not a refusal is our own fault, such as a full disk. The delivery comes again.
		status := http.StatusServiceUnavailable
		if refused := (refusal{}); errors.As(err, &refused) {
			status = refused.status
		}
		fmt.Printf("refused %d %s\n", status, err)
		w.WriteHeader(status)
		return
	}
	if body == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(body)
}

var (
	store *eventStore
	keys  = &keySet{}
)

func main() {
	store = openStore(setting("DATABASE"))
	port := os.Getenv("PORT")
	if port == "" {
		port = "443"
	}
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", net.JoinHostPort(os.Getenv("HOST"), port))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening %d\n", listener.Addr().(*net.TCPAddr).Port)
	server := &http.Server{Handler: http.HandlerFunc(answer), ReadTimeout: 15 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	log.Fatal(server.ServeTLS(listener, setting("TLS_CERT_FILE"), setting("TLS_KEY_FILE")))
}

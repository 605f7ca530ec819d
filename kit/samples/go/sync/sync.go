// Keeps a copy of what is shared, for Go 1.23 or later with nothing but the standard library:
//
//	go run sync.go pull           brings the copy up to date
//	go run sync.go acknowledge    deletes what is due, and says so
//
// BASE_URL, ENVIRONMENT (sandbox or production), CERT and KEY (PEM) name the machine API and the client, CA the authority of its server if this
// machine does not trust it. The copy is one file, which is replaced whole: that is its transaction. Put your database in its place.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"os"
	"sort"
	"strconv"
	"time"
)

const (
	copyFile    = "copy.json"
	longestWait = 75 // seconds: a quota of a minute opens within it
)

type resource struct {
	ConnectionID string          `json:"connection_id"`
	Revision     int64           `json:"revision"`
	Snapshot     json.RawMessage `json:"snapshot"`
}

type deletion struct {
	Deadline string `json:"deadline"`
	Complete bool   `json:"complete"` // all its tombstones have come
	Outcome  string `json:"outcome,omitempty"`
}

// held is what is known of a client's feed. While the feed is followed from its beginning, Unseen is what of the copy it has not brought yet.
type held struct {
	Client    string              `json:"client"`
	Cursor    string              `json:"cursor"`
	ETag      string              `json:"etag"`
	Unseen    map[string]bool     `json:"unseen"`
	Resources map[string]resource `json:"resources"`
	Ended     map[string]string   `json:"ended"`
	Deletions map[string]deletion `json:"deletions"`
}

type reference struct{ Type, ID string }

type page struct {
	Upserts    []json.RawMessage `json:"upserts"`
	Tombstones []struct {
		RevocationID string     `json:"revocation_id"`
		Subject      reference  `json:"subject"`
		ConnectionID string     `json:"connection_id"`
		Resource     *reference `json:"resource"`
		Deadline     string     `json:"deletion_deadline_at"`
	} `json:"tombstones"`
	NextCursor string `json:"next_cursor"`
	HasMore    bool   `json:"has_more"`
}

// problem is what the service refuses with (RFC 9457). Decide by its code.
type problem struct {
	Code, Detail string
	RequestID    string `json:"request_id"`
}

func (p problem) Error() string { return fmt.Sprintf("%s (%s): %s", p.Code, p.RequestID, p.Detail) }

var client = &http.Client{Timeout: 40 * time.Second, Transport: &http.Transport{TLSClientConfig: identity()}}

func identity() *tls.Config {
	pair, err := tls.LoadX509KeyPair(os.Getenv("CERT"), os.Getenv("KEY"))
	check(err)
	config := &tls.Config{Certificates: []tls.Certificate{pair}}
	if file := os.Getenv("CA"); file != "" {
		authority, err := os.ReadFile(file)
		check(err)
		config.RootCAs = x509.NewCertPool()
		config.RootCAs.AppendCertsFromPEM(authority)
	}
	return config
}

// call reads an answer into `into`, after the pause that a refusal for too many requests asks for. It returns status and ETag.
func call(method, path string, body []byte, headers map[string]string, into any) (int, string, error) {
	for {
		request, err := http.NewRequest(method, os.Getenv("BASE_URL")+path, bytes.NewReader(body))
		check(err)
		request.Header.Set("Content-Type", "application/json")
		for name, value := range headers {
			request.Header.Set(name, value)
		}
		response, err := client.Do(request)
		if err != nil {
			return 0, "", err
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			return 0, "", err
		}
		switch response.StatusCode {
		case http.StatusOK:
			return 200, response.Header.Get("ETag"), json.Unmarshal(text, into)
		case http.StatusNotModified:
			return 304, response.Header.Get("ETag"), nil
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			if seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")); seconds <= longestWait {
				time.Sleep(time.Duration(max(seconds, 1)) * time.Second)
				continue
			}
		}
		refused := problem{}
		if err := json.Unmarshal(text, &refused); err != nil {
			return 0, "", fmt.Errorf("something other than the service has answered: %s", response.Status)
		}
		return response.StatusCode, "", refused
	}
}

func readCopy() held {
	copied := held{Unseen: map[string]bool{}, Resources: map[string]resource{}, Ended: map[string]string{}, Deletions: map[string]deletion{}}
	text, err := os.ReadFile(copyFile)
	if !errors.Is(err, fs.ErrNotExist) {
		check(err)
		check(json.Unmarshal(text, &copied))
	}
	return copied
}

// commit has all of the copy on disk, or nothing of it.
func commit(copied held) {
	text, err := json.Marshal(copied)
	check(err)
	file, err := os.Create(copyFile + ".new")
	check(err)
	_, err = file.Write(text)
	check(errors.Join(err, file.Sync(), file.Close()))
	check(os.Rename(copyFile+".new", copyFile))
}

func pull() {
	copied := readCopy()
	var capabilities struct {
		ClientID    string `json:"client_id"`
		Environment string `json:"environment"`
	}
	_, _, err := call("GET", "/capabilities", nil, nil, &capabilities)
	check(err)
	if capabilities.Environment != os.Getenv("ENVIRONMENT") || copied.Client != "" && copied.Client != capabilities.ClientID {
		log.Fatalf("The certificate is for %s in %s.", capabilities.ClientID, capabilities.Environment)
	}
	copied.Client = capabilities.ClientID
	for {
		query, condition := "", map[string]string{}
		if copied.Cursor != "" {
			query = "?" + url.Values{"updated_since": {copied.Cursor}}.Encode()
		}
		if copied.ETag != "" {
			condition["If-None-Match"] = copied.ETag
		}
		var next page
		status, etag, err := call("GET", "/sync"+query, nil, condition, &next)
		if refused := (problem{}); errors.As(err, &refused) && refused.Code == "invalid_cursor" {
			copied.Cursor, copied.ETag, copied.Unseen = "", "", map[string]bool{}
			for id := range copied.Resources {
				copied.Unseen[id] = true
			}
			continue
		}
		check(err)
		if status == http.StatusNotModified {
			return
		}
		apply(&copied, next)
		// The answer to a cursor that stays is the same until something changes.
		copied.ETag = ""
		if next.NextCursor == copied.Cursor {
			copied.ETag = etag
		}
		copied.Cursor = next.NextCursor
		if !next.HasMore {
			for id := range copied.Unseen {
				delete(copied.Resources, id)
			}
			copied.Unseen = map[string]bool{}
		}
		commit(copied)
		if !next.HasMore {
			return
		}
	}
}

// apply applies a page whole. Applied twice it does no harm.
func apply(copied *held, next page) {
	for _, snapshot := range next.Upserts {
		var upsert struct {
			ID           string
			Revision     int64
			ConnectionID string `json:"connection_id"`
		}
		check(json.Unmarshal(snapshot, &upsert))
		delete(copied.Unseen, upsert.ID)
		// What has ended never comes back, even if a page was read before it did.
		if copied.Ended[upsert.ID] == "" && upsert.Revision > copied.Resources[upsert.ID].Revision {
			copied.Resources[upsert.ID] = resource{upsert.ConnectionID, upsert.Revision, snapshot}
		}
	}
	for _, tombstone := range next.Tombstones {
		due := copied.Deletions[tombstone.RevocationID]
		due.Deadline = tombstone.Deadline
		if tombstone.Resource != nil {
			delete(copied.Resources, tombstone.Resource.ID)
			copied.Ended[tombstone.Resource.ID] = tombstone.RevocationID
		} else {
			for id, each := range copied.Resources {
				if each.ConnectionID == tombstone.ConnectionID {
					delete(copied.Resources, id)
					copied.Ended[id] = tombstone.RevocationID
				}
			}
		}
		// All of a connection's tombstones come before the one of the connection itself, which names no resource.
		due.Complete = due.Complete || tombstone.Subject.Type != "connection" || tombstone.Resource == nil
		copied.Deletions[tombstone.RevocationID] = due
	}
}

func acknowledge() {
	copied := readCopy()
	var due []string
	for id, each := range copied.Deletions {
		if each.Complete && each.Outcome == "" {
			due = append(due, id)
		}
	}
	sort.Slice(due, func(a, b int) bool { return copied.Deletions[due[a]].Deadline < copied.Deletions[due[b]].Deadline })
	for _, id := range due {
		// The records have left the copy. Delete here whatever you have made of them: indexes, files, exports, caches.
		each := copied.Deletions[id]
		var answer struct {
			AcknowledgedAt string `json:"acknowledged_at"`
		}
		_, _, err := call("POST", "/revocations/"+id+"/ack", []byte(`{"deletion_completed":true}`), map[string]string{"Idempotency-Key": "deleted-" + id}, &answer)
		each.Outcome = answer.AcknowledgedAt
		// Too late, or gone with regenerated test data. Record it in the portal where it is listed there.
		if refused := (problem{}); errors.As(err, &refused) && (refused.Code == "acknowledgement_window_closed" || refused.Code == "not_found") {
			each.Outcome = refused.Code
		} else {
			check(err)
		}
		copied.Deletions[id] = each
		commit(copied)
		fmt.Println(id, each.Outcome)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "pull" {
		pull()
	} else if len(os.Args) == 2 && os.Args[1] == "acknowledge" {
		acknowledge()
	} else {
		log.Fatal("pull or acknowledge?")
	}
}

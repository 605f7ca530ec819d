// Made from openapi.yaml, asyncapi.yaml and the catalogue of refusals; `npm run schema` makes it again.

/** A value that this version of the kit does not know. */
export type Other = string & Record<never, never>;

/** One of the seven scopes of v1. */
export type Scope = 'orders.read' | 'orders.history.read' | 'vehicles.read' | 'vehicles.history.read' | 'shipping.read' | 'statistics.orders.read' | 'revocations.ack' | Other;

/** A client: an integration in one environment. */
export type ClientId = string;

/** An integration. */
export type IntegrationId = string;

/** A client certificate. */
export type CertificateId = string;

/** The connection of one user to one integration. */
export type ConnectionId = string;

/** A shared order, for one connection. */
export type OrderId = string;

/** A shared stock vehicle, for one connection. */
export type VehicleId = string;

/** A revocation. */
export type RevocationId = string;

/** A published statistics generation. */
export type GenerationId = string;

/** Identifies the request; give it to support. */
export type RequestId = string;

/** A place in the feed. Opaque, so send it back unchanged. */
export type Cursor = string;

export type Capabilities = {
  readonly environment: 'sandbox' | 'production' | Other;
  readonly client_id: ClientId;
  readonly integration_id: IntegrationId;
  readonly integration_status: 'sandbox' | 'submitted' | 'rejected' | 'approved' | 'active' | 'suspended' | 'retired' | Other;
  /** Sandbox: the current profile version; production: the reviewed one. */
  readonly profile_version: number;
  readonly scopes: readonly Scope[];
  readonly quotas: Quotas;
  /** Approved overrides; quotas already include them. */
  readonly overrides: readonly QuotaOverride[];
  /** Whether the service's production gate and the integration's are both open. */
  readonly production_data_enabled: boolean;
  /** The certificate that made this call. */
  readonly certificate: {
    readonly id: CertificateId;
    /** Hexadecimal. */
    readonly serial: string;
    readonly fingerprint_sha256: string;
    /** The end of its validity, or of its overlap with a newer certificate. */
    readonly expires_at: string;
  };
};

/** The limits in effect, including approved overrides. The polling interval is only a recommendation. */
export type Quotas = {
  readonly requests_per_hour: number;
  readonly requests_per_minute: number;
  readonly concurrent_requests: number;
  readonly statistics_requests_per_hour: number;
  readonly link_code_redemptions_per_hour: number;
  readonly link_code_redemptions_per_ip_per_15_minutes: number;
  readonly est_requests_per_hour: number;
  readonly polling_interval_seconds: number;
  readonly records_per_response: number;
  readonly response_bytes: number;
  readonly statistics_response_bytes: number;
};

/** A value that the service approved in place of the baseline. */
export type QuotaOverride = {
  readonly quota: 'requests_per_hour' | 'requests_per_minute' | 'concurrent_requests' | 'statistics_requests_per_hour' | 'link_code_redemptions_per_hour' | 'link_code_redemptions_per_ip_per_15_minutes' | 'est_requests_per_hour' | 'polling_interval_seconds' | Other;
  readonly value: number;
  /** Absent if the override stands until it is withdrawn. */
  readonly expires_at?: string;
};

/** Contains only identifiers, which are valid only for this client. */
export type RedeemedLinkCode = {
  readonly connection_id: ConnectionId;
  readonly resources: readonly ResourceReference[];
};

/** A shared order or stock vehicle. */
export type ResourceReference = {
  /** The ID that detail, history and sync use. */
  readonly id: string;
  readonly type: 'order' | 'vehicle' | Other;
};

export type AcknowledgedRevocation = {
  readonly revocation_id: RevocationId;
  readonly status: 'acknowledged';
  /** When it was first acknowledged. */
  readonly acknowledged_at: string;
};

/** One page in feed order, with at most 500 upserts and tombstones in total. */
export type SyncPage = {
  readonly upserts: readonly (Order | Vehicle)[];
  readonly tombstones: readonly Tombstone[];
  readonly next_cursor: Cursor;
  /** Whether another page follows now. More can follow even a short or empty page. */
  readonly has_more: boolean;
};

export type Tombstone = {
  readonly revocation_id: RevocationId;
  /** What was revoked. */
  readonly subject: {
    readonly type: 'resource' | 'connection' | Other;
    /** The ID of the resource or of the connection. */
    readonly id: string;
  };
  readonly connection_id: ConnectionId;
  /** What this record removes. Absent in the record of the connection itself. */
  readonly resource?: ResourceReference;
  /** When access ended. */
  readonly revoked_at: string;
  /** The time by which you must acknowledge the deletion. */
  readonly deletion_deadline_at: string;
};

/** A complete snapshot of an order, as far as this client may see it; not a patch. */
export type Order = {
  readonly id: OrderId;
  readonly type: 'order';
  /** Rises whenever what this client may see changes, and only then. */
  readonly revision: number;
  /** When `revision` last rose. */
  readonly updated_at: string;
  readonly connection_id: ConnectionId;
  /** The scopes in effect for this connection. */
  readonly scopes: readonly Scope[];
  /** If false, earlier changes are missing and will never be added. */
  readonly history_complete: boolean;
  readonly status: 'placed' | 'confirmed' | 'scheduled' | 'in_production' | 'built' | 'in_transit' | 'at_port' | 'at_delivery_centre' | 'delivered' | 'cancelled' | Other;
  readonly model?: string;
  readonly model_year?: number;
  readonly trim?: string;
  /** ISO 3166-1 alpha-2. */
  readonly market?: string;
  readonly exterior?: string;
  readonly interior?: string;
  readonly option_codes?: readonly string[];
  readonly ordered_on?: string;
  readonly production?: {
    /** ISO 8601 week. */
    readonly scheduled_week?: string;
    readonly started_on?: string;
    readonly completed_on?: string;
  };
  readonly delivery_estimate?: {
    readonly from?: string;
    readonly to?: string;
  };
  readonly shipping?: Shipping;
};

/** A complete snapshot of a stock vehicle, as far as this client may see it; not a patch. */
export type Vehicle = {
  readonly id: VehicleId;
  readonly type: 'vehicle';
  /** Rises whenever what this client may see changes, and only then. */
  readonly revision: number;
  /** When `revision` last rose. */
  readonly updated_at: string;
  readonly connection_id: ConnectionId;
  /** The scopes in effect for this connection. */
  readonly scopes: readonly Scope[];
  /** If false, earlier changes are missing and will never be added. */
  readonly history_complete: boolean;
  readonly status: 'available' | 'reserved' | 'sold' | 'withdrawn' | Other;
  readonly model?: string;
  readonly model_year?: number;
  readonly trim?: string;
  /** ISO 3166-1 alpha-2. */
  readonly market?: string;
  readonly exterior?: string;
  readonly interior?: string;
  readonly option_codes?: readonly string[];
  readonly listed_on?: string;
};

export type OrderHistory = {
  readonly resource: {
    readonly id: OrderId;
    readonly type: 'order';
  };
  /** If false, earlier changes are missing and will never be added. */
  readonly history_complete: boolean;
  readonly items: readonly HistoryItem[];
  /** Send it as after for the next page. Absent if there are no more items. */
  readonly next_after?: number;
};

export type VehicleHistory = {
  readonly resource: {
    readonly id: VehicleId;
    readonly type: 'vehicle';
  };
  /** If false, earlier changes are missing and will never be added. */
  readonly history_complete: boolean;
  readonly items: readonly HistoryItem[];
  /** Send it as after for the next page. Absent if there are no more items. */
  readonly next_after?: number;
};

/** Changes that happened at the same time. */
export type HistoryItem = {
  /** Rises within a resource, but not always by one; gaps mean nothing. */
  readonly sequence: number;
  /** When it changed. */
  readonly occurred_at: string;
  readonly changes: readonly Change[];
};

/** One value that changed. */
export type Change = {
  /** The changed value, such as status, option_codes[0] or production.started_on. */
  readonly path: string;
  /** The previous value at this path of the snapshot; a string, a number or a boolean. Absent if the value is new. */
  readonly from?: unknown;
  /** The new value at this path of the snapshot; a string, a number or a boolean. Absent if the value was removed. */
  readonly to?: unknown;
};

/** A generation never changes once it is published; the next one has a new ID. */
export type StatisticsGeneration = {
  readonly generation_id: GenerationId;
  /** When it was published. */
  readonly published_at: string;
  /** The days it covers, including the first and the last. */
  readonly period: {
    readonly from: string;
    readonly to: string;
  };
  /** The minimum number of distinct users behind each number, and behind each change to one. */
  readonly minimum_group_size: number;
  /** The groups do not overlap, and there are no totals. */
  readonly groups: readonly ({
    /** ISO 3166-1 alpha-2. */
    readonly market: string;
    readonly model: string;
    readonly status: 'placed' | 'confirmed' | 'scheduled' | 'in_production' | 'built' | 'in_transit' | 'at_port' | 'at_delivery_centre' | 'delivered' | 'cancelled' | Other;
    /** Orders. */
    readonly count: number;
    /** Absent if too few users contribute. */
    readonly median_days_ordered_to_built?: number;
    /** Absent if too few users contribute. */
    readonly median_days_built_to_delivered?: number;
  })[];
};

/** Only with shipping.read. */
export type Shipping = {
  readonly vessel?: string;
  readonly voyage?: string;
  readonly origin_port?: Port;
  readonly destination_port?: Port;
  readonly events?: readonly ({
    readonly kind: 'loaded' | 'departed' | 'transshipped' | 'arrived' | 'discharged' | Other;
    readonly port: Port;
    /** When it happened, or is expected to. */
    readonly at: string;
    /** Whether `at` is a forecast. */
    readonly estimated: boolean;
  })[];
};

/** UN/LOCODE. */
export type Port = string;

/** RFC 9457. */
export type ProblemDetails = {
  /** A page that explains the code. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The path of the request, as it was sent. It is `/` if the path is neither in this contract nor written only a little differently from one that is, such as with a slash at its end, or if an identifier in it is malformed: a value in the wrong place may be a secret, so it is not repeated. It is also `/` if the bytes could not be read as a request. */
  readonly instance: string;
  /** Stable; the catalogue may grow within v1. */
  readonly code: string;
  readonly request_id: RequestId;
  /** Each place that breaks a rule. */
  readonly errors?: readonly BrokenRule[];
  /** The same as Retry-After. */
  readonly retry_after_seconds?: number;
  /** The names of the limits that are used up, as in `RateLimit-Policy` and `RateLimit` of the same response: `minute`, `hour`, `statistics`, `redeem`, `est` and `concurrency` of the client; `redeem-source` (redemptions) and `unauthenticated` (requests without a usable certificate) of the source address. */
  readonly violated_policies?: readonly string[];
  /** Any one of these scopes is enough. */
  readonly required_scopes?: readonly Scope[];
  /** Where the scope is missing. `client`: for this client; compare with the scopes that capabilities reports. `consent`: the user's consent for this connection, which capabilities does not show; see the `scopes` of the connection's snapshots. */
  readonly missing_in?: 'client' | 'consent' | Other;
  /** From when on the certificate that made the call can be renewed. */
  readonly renewable_from?: string;
  readonly revocation_id?: RevocationId;
  /** The time by which you must acknowledge the deletion. */
  readonly deletion_deadline_at?: string;
};

/** A place in the request that breaks a rule, named by one of pointer, parameter and header. An unknown query parameter has none of them, because its name is not repeated. */
export type BrokenRule = {
  /** A place in the body (RFC 6901); empty for the body itself. */
  readonly pointer?: string;
  /** A query parameter. */
  readonly parameter?: string;
  /** A header field. */
  readonly header?: string;
  readonly detail: string;
};

/** Names the event in all its attempts. Use it as the key against replays. */
export type EventId = string;

/** RFC 3339 in UTC with milliseconds. */
export type Time = string;

/** The origin of the machine API. */
export type Source = string;

export type Environment = 'sandbox' | 'production' | Other;

/** What reading the resource answers at this moment; `GET /v1/orders/{order_id}` or `GET /v1/vehicles/{vehicle_id}`. */
export type Snapshot = Order | Vehicle;

export type ConnectionCreatedEvent = {
  readonly specversion: '1.0';
  readonly id: EventId;
  readonly type: 'connection.created';
  readonly source: Source;
  readonly time: Time;
  readonly environment: Environment;
  readonly data: {
    readonly connection_id: ConnectionId;
  };
};

export type ResourceGrantedEvent = {
  readonly specversion: '1.0';
  readonly id: EventId;
  readonly type: 'resource.granted';
  readonly source: Source;
  readonly time: Time;
  readonly environment: Environment;
  readonly data: {
    readonly connection_id: ConnectionId;
    readonly resource: ResourceReference;
  };
};

export type ResourceGrantedWithSnapshotEvent = {
  readonly specversion: '1.0';
  readonly id: EventId;
  readonly type: 'resource.granted';
  readonly source: Source;
  readonly time: Time;
  readonly environment: Environment;
  readonly data: {
    readonly connection_id: ConnectionId;
    readonly resource: ResourceReference;
    readonly snapshot: Snapshot;
    /** If false, earlier changes of the resource are missing and will never be added. */
    readonly history_complete: boolean;
  };
};

export type ResourceUpdatedEvent = {
  readonly specversion: '1.0';
  readonly id: EventId;
  readonly type: 'resource.updated';
  readonly source: Source;
  readonly time: Time;
  readonly environment: Environment;
  readonly data: {
    readonly connection_id: ConnectionId;
    readonly resource: ResourceReference;
  };
};

export type ResourceUpdatedWithSnapshotEvent = {
  readonly specversion: '1.0';
  readonly id: EventId;
  readonly type: 'resource.updated';
  readonly source: Source;
  readonly time: Time;
  readonly environment: Environment;
  readonly data: {
    readonly connection_id: ConnectionId;
    readonly resource: ResourceReference;
    readonly snapshot: Snapshot;
    /** If false, earlier changes of the resource are missing and will never be added. */
    readonly history_complete: boolean;
  };
};

export type ResourceRevokedEvent = {
  readonly specversion: '1.0';
  readonly id: EventId;
  readonly type: 'resource.revoked';
  readonly source: Source;
  readonly time: Time;
  readonly environment: Environment;
  readonly data: {
    readonly connection_id: ConnectionId;
    readonly resource: ResourceReference;
    readonly revocation_id: RevocationId;
    readonly deletion_deadline_at: Time;
  };
};

export type ConnectionRevokedEvent = {
  readonly specversion: '1.0';
  readonly id: EventId;
  readonly type: 'connection.revoked';
  readonly source: Source;
  readonly time: Time;
  readonly environment: Environment;
  readonly data: {
    readonly connection_id: ConnectionId;
    readonly revocation_id: RevocationId;
    readonly deletion_deadline_at: Time;
  };
};

export type StatisticsUpdatedEvent = {
  readonly specversion: '1.0';
  readonly id: EventId;
  readonly type: 'statistics.updated';
  readonly source: Source;
  readonly time: Time;
  readonly environment: Environment;
  readonly data: {
    readonly generation_id: GenerationId;
  };
};

export type IntegrationSuspendedEvent = {
  readonly specversion: '1.0';
  readonly id: EventId;
  readonly type: 'integration.suspended';
  readonly source: Source;
  readonly time: Time;
  readonly environment: Environment;
  /** Empty. */
  readonly data: object;
};

/** What a webhook delivers. */
export type WebhookEvent = ConnectionCreatedEvent | ResourceGrantedEvent | ResourceGrantedWithSnapshotEvent | ResourceUpdatedEvent | ResourceUpdatedWithSnapshotEvent | ResourceRevokedEvent | ConnectionRevokedEvent | StatisticsUpdatedEvent | IntegrationSuspendedEvent;

/** Every type of event. */
export const eventTypes = ['connection.created', 'resource.granted', 'resource.updated', 'resource.revoked', 'connection.revoked', 'statistics.updated', 'integration.suspended'] as const;

/** What to do about each problem code. */
export const nextSteps = {
  invalid_request: 'Correct the fields, parameters or headers that `errors` names.',
  invalid_cursor: 'Start a recovery sync: call /v1/sync without updated_since and follow next_cursor to the end.',
  idempotency_key_required: 'Send an Idempotency-Key header, stable for this acknowledgement.',
  client_certificate_required: 'Present the client certificate that the portal issued for this environment.',
  client_certificate_invalid: 'Present a certificate issued by this service, with its chain.',
  client_certificate_expired: 'Request a new certificate in the portal and install it.',
  client_certificate_revoked: 'Use the other certificate of this client, or request a new one in the portal.',
  client_certificate_unknown: 'Download the certificate from the portal again; this one is not on record.',
  integration_not_active: 'Production requires the status active: complete review and activation in the portal.',
  integration_suspended: 'Production access is stopped. The integration page in the portal says why.',
  integration_retired: 'A retired integration has no access. Create a new one.',
  renewal_not_enabled: 'The owner switches renewal through EST on for this client on the certificates page in the portal.',
  renewal_too_early: 'Renew when two thirds of the certificate’s lifetime have passed; `renewable_from` says when.',
  production_data_disabled: 'Wait until capabilities reports production_data_enabled=true.',
  scope_required: '`missing_in` says where the scope is missing: for this client, or in the user’s consent for this connection.',
  not_found: 'Use the identifiers that this client received; they are different for every integration.',
  link_code_not_redeemable: 'Ask the user for a new code. The reason why this one cannot be redeemed is never disclosed.',
  method_not_allowed: 'Use one of the methods in the Allow header.',
  request_timeout: 'Send the whole request within 30 seconds.',
  certificate_limit_reached: 'No place is left for another certificate of this client. Use the newest one, or revoke one in the portal.',
  acknowledgement_window_closed: 'The deletion deadline has passed. Delete every copy, then record the deletion in the portal.',
  access_ended: 'Delete every copy of this resource and acknowledge the deletion before the deadline.',
  content_too_large: 'Send at most 16 KiB.',
  unsupported_media_type: 'Send Content-Type: application/json, or application/pkcs10 for a certificate request.',
  deletion_not_completed: 'Acknowledge with deletion_completed: true, only after every individual and derived copy is deleted.',
  idempotency_key_reused: 'This key belongs to another acknowledgement. Use one key for one revocation and one body.',
  rate_limit_exceeded: 'Wait for the time in Retry-After; the quota is shared by all certificates of the client.',
  concurrency_limit_exceeded: 'Let running requests finish before the next one starts.',
  link_code_attempts_exceeded: 'Wait for the time in Retry-After.',
  headers_too_large: 'Send at most 16 KiB of headers.',
  internal_error: 'Try again later. If the problem persists, report the request_id.',
  not_implemented: 'Use a method that the path takes, and send a body with Content-Length, or with Transfer-Encoding: chunked alone.',
  temporarily_unavailable: 'Retry with bounded exponential backoff, but never before Retry-After.',
  http_version_not_supported: 'Send the request as HTTP/1.1.',
} as const;

/** The codes of problems. */
export type ProblemCode = keyof typeof nextSteps | Other;

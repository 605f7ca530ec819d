/**
 * Every field that may leave the machine API, written out once more, independently of the code that decides it; array positions are `[]`.
 */
const under = (parent: string, names: string) => names.split(' ').map((name) => `${parent}.${name}`);

const perShare = 'id type revision updated_at connection_id scopes[] history_complete'.split(' ');
const common = 'status model model_year trim market exterior interior option_codes[]'.split(' ');

export const orderFields: readonly string[] = [
  ...common,
  'ordered_on',
  ...under('production', 'scheduled_week started_on completed_on'),
  ...under('delivery_estimate', 'from to'),
  ...under('shipping', 'vessel voyage origin_port destination_port'),
  ...under('shipping.events[]', 'kind port at estimated'),
];
export const vehicleFields: readonly string[] = [...common, 'listed_on'];

const upserts = new Set([...perShare, ...orderFields, ...vehicleFields]);
const history = new Set([
  ...under('resource', 'id type'),
  'history_complete',
  ...under('items[]', 'sequence occurred_at'),
  ...under('items[].changes[]', 'path from to'),
  'next_after',
]);

/** By the name of the operation. */
export const leavingFields: Readonly<Record<string, ReadonlySet<string>>> = {
  getCapabilities: new Set([
    ...'environment client_id integration_id integration_status profile_version scopes[] production_data_enabled'.split(' '),
    ...under(
      'quotas',
      'requests_per_hour requests_per_minute concurrent_requests statistics_requests_per_hour link_code_redemptions_per_hour',
    ),
    ...under(
      'quotas',
      'link_code_redemptions_per_ip_per_15_minutes est_requests_per_hour polling_interval_seconds records_per_response response_bytes',
    ),
    'quotas.statistics_response_bytes',
    ...under('overrides[]', 'quota value expires_at'),
    ...under('certificate', 'id serial fingerprint_sha256 expires_at'),
  ]),
  redeemLinkCode: new Set(['connection_id', ...under('resources[]', 'id type')]),
  getSync: new Set([
    ...[...upserts].map((field) => `upserts[].${field}`),
    ...under(
      'tombstones[]',
      'revocation_id subject.type subject.id connection_id resource.id resource.type revoked_at deletion_deadline_at',
    ),
    'next_cursor',
    'has_more',
  ]),
  getOrder: new Set([...perShare, ...orderFields]),
  getVehicle: new Set([...perShare, ...vehicleFields]),
  getOrderHistory: history,
  getVehicleHistory: history,
  getOrderStatistics: new Set([
    'generation_id',
    'published_at',
    ...under('period', 'from to'),
    'minimum_group_size',
    ...under('groups[]', 'market model status count median_days_ordered_to_built median_days_built_to_delivered'),
  ]),
  acknowledgeRevocation: new Set(['revocation_id', 'status', 'acknowledged_at']),
};

/** Of a problem: RFC 9457 and the contract's members. */
export const problemFields: ReadonlySet<string> = new Set([
  ...'type title status detail instance code request_id'.split(' '),
  ...'revocation_id deletion_deadline_at required_scopes[] missing_in retry_after_seconds violated_policies[]'.split(' '),
  ...under('errors[]', 'pointer parameter header detail'),
]);

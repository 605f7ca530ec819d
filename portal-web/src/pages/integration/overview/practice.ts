import { type CallFacts, curlWithCertificate } from '../../../features/integration/firstCallCommands.ts';
import { acknowledgementCommand, redeemCommand } from '../../../features/integration/machineCommands.ts';
import { type IntegrationPaths, paths } from '../../../paths.ts';
import type { Overview } from './overviewQuery.ts';

type Practice = CallFacts & { readonly requestsPerMinute: number; readonly scopes: readonly string[] };
type Way = {
  /** What brings the observation about, in a folder with the files of the first call. Null where its scopes leave only the page. */
  readonly command: (facts: Practice) => string | null;
  /** Where the command gets its values, or what it does is explained. */
  readonly link: { readonly words: string; readonly to: (to: IntegrationPaths) => string };
};

/** How each of the things that reviewers look for is tried out in the sandbox. */
export const practice: Readonly<Record<Overview['evidence'][number]['kind'], Way>> = {
  capabilities_read: {
    command: (facts) => [call(facts, 'capabilities'), call(facts, 'sync', '-o page.json')].join('\n'),
    link: { words: 'What capabilities say', to: () => paths.operation('getCapabilities') },
  },
  cursor_followed: {
    command: (facts) =>
      [
        call(facts, 'sync', '-f -o page.json'),
        'next() {',
        `  cursor=$(node -p 'JSON.parse(fs.readFileSync("page.json")).next_cursor')`,
        `  ${call(facts, 'sync', '-f -o page.json -G --data-urlencode "updated_since=$cursor"')}`,
        '}',
        `while next && ! grep -q '"has_more":false' page.json; do :; done`,
      ].join('\n'),
    link: { words: 'How syncing works', to: () => paths.guide('syncing') },
  },
  request_conditional: {
    command: (facts) =>
      [
        call(facts, 'sync', '-o page.json --etag-save etag.txt'),
        call(facts, 'sync', "-o page.json --etag-compare etag.txt -w '%{http_code}\\n'"),
      ].join('\n'),
    link: { words: 'When nothing is new', to: () => `${paths.guide('syncing')}#nothing-new-304` },
  },
  pause_honoured: {
    command: (facts) =>
      `for n in $(seq ${facts.requestsPerMinute + 1}); do\n  ${call(facts, 'sync', "-o page.json --retry 1 -w '%{http_code}\\n'")}\ndone`,
    link: { words: 'What to do when you are refused', to: () => `${paths.guide('quotas')}#when-you-are-refused` },
  },
  link_code_redeemed: {
    command: (facts) => redeemCommand('0428815903', facts),
    link: { words: 'Generate a link code', to: (to) => to.sandbox() },
  },
  tombstone_acknowledged: {
    command: (facts) => (facts.scopes.includes('revocations.ack') ? acknowledgementCommand('rev_…', facts) : null),
    link: { words: 'Find a deletion', to: (to) => to.deletions({ environment: 'sandbox' }) },
  },
  certificate_rotated: {
    command: (facts) => call({ ...facts, keyName: 'NEW_NAME' }, 'capabilities'),
    link: { words: 'Get another certificate', to: (to) => to.certificates({ environment: 'sandbox' }) },
  },
};

function call(facts: CallFacts, operation: string, options = ''): string {
  return [curlWithCertificate(facts), '-sS', options, `${facts.machineApiUrl}/${operation}`].filter(Boolean).join(' ');
}

import { type CallFacts, type Commands, curlWithCertificate, syncWithKit } from '../../../features/integration/firstCallCommands.ts';
import { acknowledgementCommands, redeemCommands } from '../../../features/integration/machineCommands.ts';
import type { WantedAct } from '../../../features/search/paletteActs.ts';
import { type IntegrationPaths, paths } from '../../../paths.ts';
import type { Overview } from './overviewQuery.ts';

type Practice = CallFacts & {
  readonly requestsPerMinute: number;
  readonly scopes: readonly string[];
  /** A deletion in the sandbox that nobody has acknowledged. */
  readonly revocationId: string | null;
  /** The name of the files of a certificate that nobody has called with, of a client that was called with another. */
  readonly unusedKeyName: string | null;
};
type Way = {
  /**
   * What brings the observation about, in a folder with the files of the first call. Null while what it is about does not exist, and
   * where its scopes leave only the page. The kit waits before it would be refused, so there is one thing that it cannot show.
   */
  readonly command: (facts: Practice) => Commands | string | null;
  /** What happens when it is run, where that is not plain. */
  readonly note?: string;
  /** Where the command gets its values, or what it does is explained. `wants` is what the page there is to begin. */
  readonly link: { readonly words: string; readonly to: (to: IntegrationPaths) => string; readonly wants?: WantedAct };
};

/** How each of the things that reviewers look for is tried out in the sandbox. */
export const practice: Readonly<Record<Overview['evidence'][number]['kind'], Way>> = {
  capabilities_read: {
    command: (facts) => ({
      kit: ['npx svc capabilities', syncWithKit].join(' &&\n'),
      curl: [call(facts, 'capabilities'), call(facts, 'sync', '-o page.json')].join('\n'),
    }),
    link: { words: 'What capabilities say', to: () => paths.operation('getCapabilities') },
  },
  cursor_followed: {
    command: (facts) => ({
      // A feed of one page ends its cursor with the second sync.
      kit: `${syncWithKit} --recover &&\n${syncWithKit}`,
      curl: [
        call(facts, 'sync', "-f -o page.json -w 'first page: %{http_code}\\n'"),
        'next() {',
        `  cursor=$(node -p 'JSON.parse(fs.readFileSync("page.json")).next_cursor')`,
        `  ${call(facts, 'sync', `-f -o page.json -w 'next page: %{http_code}\\n' -G --data-urlencode "updated_since=$cursor"`)}`,
        '}',
        `while next && ! grep -q '"has_more":false' page.json; do :; done`,
        `grep -q '"has_more":false' page.json && echo 'has_more is false: your cursor is at the end.'`,
      ].join('\n'),
    }),
    link: { words: 'How syncing works', to: () => paths.guide('syncing') },
  },
  request_conditional: {
    command: (facts) => ({
      // The first brings what is new, the second an empty page with its validator, and the third sends that.
      kit: `for n in 1 2 3; do ${syncWithKit}; done`,
      curl: [
        call(facts, 'sync', '-o page.json --etag-save etag.txt'),
        call(facts, 'sync', "-o page.json --etag-compare etag.txt -w '%{http_code}\\n'"),
      ].join('\n'),
    }),
    link: { words: 'When nothing is new', to: () => `${paths.guide('syncing')}#nothing-new-304` },
  },
  pause_honoured: {
    command: (facts) =>
      [
        // One is refused, and one follows after the pause.
        `for n in $(seq ${facts.requestsPerMinute + 2}); do`,
        `  status=$(${call(facts, 'capabilities', "-o /dev/null -D headers.txt -w '%{http_code}'")})`,
        '  echo "call $n: $status"',
        '  if [ "$status" = 429 ]; then',
        `    pause=$(grep -i '^retry-after:' headers.txt | tr -dc 0-9)`,
        '    echo "waiting $pause seconds, as Retry-After says"',
        '    sleep "$pause"',
        '  fi',
        'done',
      ].join('\n'),
    note: 'It prints the status of each call. Look for 429: the loop then pauses, for up to a minute, and goes on with 200.',
    link: { words: 'What to do when you are refused', to: () => `${paths.guide('quotas')}#when-you-are-refused` },
  },
  link_code_redeemed: {
    command: (facts) => redeemCommands('YOUR_CODE', facts),
    note: 'The page Test data generates a code and shows this command with it. Or put the code in the place of YOUR_CODE here.',
    link: { words: 'Generate a link code', to: (to) => to.sandbox() },
  },
  tombstone_acknowledged: {
    command: ({ revocationId, ...facts }) =>
      revocationId !== null && facts.scopes.includes('revocations.ack') ? acknowledgementCommands([revocationId], facts) : null,
    link: { words: 'Find a deletion', to: (to) => to.deletions({ environment: 'sandbox' }) },
  },
  certificate_rotated: {
    command: ({ unusedKeyName, ...facts }) =>
      unusedKeyName === null
        ? null
        : {
            kit: `npx svc init \\\n  --cert ${unusedKeyName}.pem \\\n  --key ${unusedKeyName}.key &&\nnpx svc capabilities`,
            curl: call({ ...facts, keyName: unusedKeyName }, 'capabilities'),
          },
    note: 'Get another certificate beside the one in use, and call with it.',
    link: { words: 'Get another certificate', to: (to) => to.certificates({ environment: 'sandbox' }), wants: 'certificate' },
  },
};

function call(facts: CallFacts, operation: string, options = ''): string {
  return [curlWithCertificate(facts), options, `${facts.machineApiUrl}/${operation}`].filter(Boolean).join(' ');
}

import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { permissions } from '../../server/domain/access/permissions.ts';
import { accountLimits } from '../../server/domain/account/accountLimits.ts';
import { healthFacts } from '../../server/domain/attention/findings/healthFacts.ts';
import { healthLevels, signalLevels } from '../../server/domain/attention/findings/findingTypes.ts';
import { certificateLimits } from '../../server/domain/certificate/certificateLimits.ts';
import { concurrency, quotas, quotaWindows, sourceWindow } from '../../server/domain/client/quotas.ts';
import { integrationFacts, phaseFacts, productionStatuses } from '../../server/domain/integration/integrationFacts.ts';
import type { HoldReason } from '../../server/domain/outbox/deliveryFacts.ts';
import {
  factsOf,
  holdOf,
  integrationStatuses,
  phaseOf,
  integrationTransitions,
  isOver,
  statusesThat,
} from '../../server/domain/integration/integrationStatus.ts';
import { profileFields } from '../../server/domain/integration/profile/profileFields.ts';
import { logoLimits } from '../../server/domain/logo/image/logoLimits.ts';
import { notificationTopics, roleOfTopic, type staffTopics } from '../../server/domain/notification/mailKinds.ts';
import { deliveryReasons } from '../../server/domain/outbox/deliveryFacts.ts';
import { eventTypeFacts } from '../../server/domain/outbox/eventTypeFacts.ts';
import { webhookEventTypes } from '../../server/domain/outbox/eventTypes.ts';
import { webhookLimits } from '../../server/domain/outbox/webhookLimits.ts';
import { outOfDate } from '../../server/domain/webhook/delivery/dueDeliveries.sql.ts';
import { reviewLimits } from '../../server/domain/review/reviewLimits.ts';
import { errorCatalogue } from '../../server/domain/shared/errorCatalogue.ts';
import { namesOf } from '../../server/domain/shared/lifecycle.ts';
import { KiB, limits, MiB } from '../../server/domain/shared/limits.ts';
import { numberWords } from '../../server/domain/shared/text/numberWords.ts';
import { spanWords } from '../../server/domain/shared/text/spanWords.ts';
import { linkCodeRefusals } from '../../server/domain/sharing/linkCodeFacts.ts';
import { usageLimits } from '../../server/domain/usage/usageLimits.ts';
import { serverLimits } from '../../server/platform/http/serverLimits.ts';
import { handshakeBytes } from '../../server/platform/outbound/openConnection.ts';
import { problemTexts } from '../../server/portal-http/pages/problemTexts.ts';
import { shownTexts } from '../support/browser/shownTexts.ts';
import { specifiedUnder, unsaid } from '../support/words/unsaid.ts';

/** What the specification and the guides repeat of tables and limits in the code. */
/** The rows of a section's first table, without its head. */
const rows = (heading: string) =>
  (/(?:^\|.*\|$\n?)+/m.exec(specifiedUnder(heading))?.[0] ?? '')
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.slice(2, -2).split(' | '));

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const;
const word = (number: number) => words[number] ?? numberWords(number);
const kib = (bytes: number) => `${numberWords(bytes / KiB)} KiB`;
const mib = (bytes: number) => `${numberWords(bytes / MiB)} MiB`;
const seconds = (milliseconds: number) => `${milliseconds / 1_000} seconds`;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const { webhookChallenge: challenge } = webhookLimits;
const { pageCheck } = reviewLimits;

/** “Limits”: what each row says, from the constants. */
const specifiedLimits = {
  'pull requests of a client': `${limits.requestsPerHour} an hour`,
  'all requests of a client': `${limits.requestsPerMinute} a minute, ${limits.concurrentRequests} at once`,
  'statistics requests': `${limits.statisticsRequestsPerHour} an hour, ${mib(limits.statisticsResponseBytes)} in a response`,
  redemptions: `${limits.linkCodeRedemptionsPerHour} an hour for a client, ${limits.linkCodeRedemptionsPerIpPer15Minutes} in 15 minutes for a source address`,
  'requests for the renewal of certificates': `${limits.estRequestsPerHour} an hour`,
  'failed attempts on a link code': `${limits.failedAttemptsPerCode}`,
  'a link code': `10 digits, ${spanWords(limits.linkCodeLifetime)}, once`,
  'a response': `${limits.recordsPerResponse} records, ${mib(limits.responseBytes)}`,
  'a snapshot, a history item': `${numberWords(limits.snapshotBytes)} bytes`,
  'a request’s body, its headers, its time': `${kib(limits.requestBodyBytes)}, ${kib(serverLimits.requestHeadBytes)} in ${serverLimits.requestHeaderLines} lines, ${seconds(serverLimits.requestTimeout)}`,
  'polling interval': `${spanWords(limits.pollingIntervalSeconds * 1000)}, unless capabilities show another one`,
  deletion: `within ${spanWords(limits.deletionDeadline)}; a warning on day ${limits.deletionWarning / day}, a suspension on day ${limits.deletionDeadline / day}`,
  certificates: `${spanWords(certificateLimits.certificateLifetime)}, ${word(certificateLimits.certificatesPerClient)} for a client, ${spanWords(certificateLimits.certificateOverlap)} of overlap; ${certificateLimits.certificateRequestsPerClientPerDay} requests of a client in a day, ${accountLimits.refusedCsrsPerOperatorPerHour} refused ones of an account in an hour`,
  'a P12 package': `claimed within ${spanWords(certificateLimits.p12ClaimTime)}, once; ${word(certificateLimits.wrongTokensPerP12)} wrong tokens remove it`,
  'a revocation list': `valid for ${spanWords(certificateLimits.crlLifetime)}, signed again each day`,
  'clocks of others': `${spanWords(limits.clockTolerance)} from ours`,
  'mailed links': spanWords(accountLimits.verificationLinkLifetime),
  sessions: `${spanWords(accountLimits.sessionIdle)} idle, ${spanWords(accountLimits.sessionLifetime)} in all`,
  'fresh confirmation': spanWords(accountLimits.freshPasskey),
  logo: `${mib(logoLimits.logoBytes)}, ${logoLimits.logoSideMin} to ${numberWords(logoLimits.logoSideMax)} pixels on each side`,
  'test data': `${limits.corpusOrders} orders, ${limits.corpusVehicles} stock vehicles`,
  'smallest group in statistics': `${limits.minimumGroupSize} users`,
  'resources in a share or a link code': `${limits.resourcesPerShare}`,
  'resources in a batch of tooling': numberWords(limits.upsertBatch),
  'a service token': spanWords(limits.serviceTokenLifetime),
  'webhook endpoints': `${webhookLimits.webhookEndpoints} for an integration; ${webhookLimits.webhookRegistrationsPerOperatorPerDay} registrations a day for an account`,
  'ownership challenge': `${seconds(challenge.connectMs)} for address, connection and TLS; ${seconds(challenge.totalMs)} in all; ${kib(challenge.responseHeaderBytes)} of headers; ${kib(challenge.responseBodyBytes)} of body; ended ${spanWords(webhookLimits.webhookChallengeLifetime)} after a worker began it, or after ${webhookLimits.webhookChallengeWait / minute} without one; ${webhookLimits.webhookChallengesPerEndpointPerHour} an hour for an endpoint, ${webhookLimits.webhookChallengesPerOperatorPerHour} for an operator, ${word(webhookLimits.webhookChallengesUnderWay)} under way`,
  'check of pages': `${seconds(pageCheck.connectMs)} for address, connection and TLS; ${seconds(pageCheck.totalMs)} and ${word(reviewLimits.pageRedirects)} redirects for a page; ${kib(pageCheck.responseHeaderBytes)} of headers; ${kib(pageCheck.responseBodyBytes)} of body; ended ${spanWords(reviewLimits.pageCheckTimes.time)} after a worker began it, or after ${reviewLimits.pageCheckTimes.wait / minute} without one; for each who asks ${accountLimits.pageChecksPerIntegrationPerHour} an hour for an integration and ${accountLimits.pageChecksPerOperatorPerHour} in all; apart from these, ${accountLimits.draftChecksPerIntegrationPerHour} an hour while a draft is typed`,
} as const satisfies Readonly<Record<string, string>>;

test('“Limits” has the values of the constants, and no row that this test does not know', () => {
  const specified = rows('## Limits').map(([name = '', value]) => [name.replaceAll("'", '’'), value]);
  expect(Object.fromEntries(specified)).toEqual(specifiedLimits);
});

type KeptBySql = {
  /** Its row of “Limits”; null where it limits nobody. */
  readonly row: keyof typeof specifiedLimits | null;
  /** The section of the specification with its rule, and what that says. */
  readonly section: string;
  readonly says: string;
  /** What comes of one too many: a code of the catalogue, or, where codes are redeemed, the reason that people are told among others. */
  readonly refused: string | null;
  /** What the page of that code and its row of “Problem codes” say of this cause; null where it is no code of /v1's. */
  readonly told: readonly [page: string, row: string] | null;
  /** The guides that tell it to those whom it limits, and what they say. */
  readonly guides: readonly (readonly [file: string, says: string])[];
  /** What rest-api/contract/openapi.yaml says of it, beside an example; null where no operation of /v1 meets it. */
  readonly contract: string | null;
  /** Where the owner, who is to act, sees it before or when it is met: a page of the portal or the text of a mail; null where only the refusal tells it. */
  readonly seen: readonly [file: string, says: string] | null;
  /** For each file of server/domain that keeps it, in SQL or before it: the test that shows it, by its file and its name. */
  readonly tests: Readonly<Record<string, readonly [file: string, name: string]>>;
};

/** Limits that functions of the database keep. */
const keptBySql: Readonly<Record<string, KeptBySql>> = {
  'limits.failedAttemptsPerCode': {
    row: 'failed attempts on a link code',
    section: '### Link codes',
    says: `${word(limits.failedAttemptsPerCode)} attempts fail`,
    refused: 'blocked',
    told: null,
    guides: [['docs/guides/link-codes.md', `| failed attempts until a code is blocked | ${limits.failedAttemptsPerCode} |`]],
    contract: `blocked after ${word(limits.failedAttemptsPerCode)} failed`,
    seen: ['portal-web/src/pages/integration/sandbox/SandboxContents.tsx', `of ${limits.failedAttemptsPerCode}`],
    tests: {
      'sharing/link-code/redeemLinkCode.function.ts': ['tests/rest-api/specification/limits.test.ts', '5 failed attempts per code'],
    },
  },
  'certificateLimits.certificatesPerClient': {
    row: 'certificates',
    section: '### Rotation',
    says: `at most ${word(certificateLimits.certificatesPerClient)} certificates`,
    refused: 'certificate_limit_reached',
    told: ['certificates that are pending or usable', 'no slot is free'],
    guides: [
      ['docs/guides/certificates.md', `at most ${word(certificateLimits.certificatesPerClient)} usable certificates`],
      ['docs/guides/certificate-renewal.md', `there are ${word(certificateLimits.certificatesPerClient)} certificates already`],
    ],
    contract: `the limit of ${word(certificateLimits.certificatesPerClient)} certificates`,
    seen: ['portal-web/src/pages/integration/certificates/new/NewCertificate.tsx', 'At most ${certificatesPerEnvironment} can be in use'],
    tests: {
      'certificate/request/placeCertificate.function.ts': [
        'tests/rest-api/certificateRenewal.test.ts',
        'there is no third slot until the older certificate has ended',
      ],
      'certificate/request/placeRequest.ts': ['tests/domain/certificate/requestLimits.test.ts', 'what finds no slot'],
    },
  },
  'certificateLimits.certificateRequestsPerClientPerDay': {
    row: 'certificates',
    section: '### Certificate requests',
    says: `can request ${certificateLimits.certificateRequestsPerClientPerDay} for a client within any 24`,
    refused: 'rate_limit_exceeded',
    told: ['A quota of this client is used up', 'always with Retry-After'],
    guides: [['docs/guides/certificates.md', `you can request ${certificateLimits.certificateRequestsPerClientPerDay} within a day`]],
    contract: null,
    seen: null,
    tests: {
      'certificate/request/placeCertificate.function.ts': [
        'tests/domain/certificate/requestLimits.test.ts',
        'comes after too many in a day',
      ],
    },
  },
  'certificateLimits.certificateRenewableFrom': {
    row: null,
    section: '### Renewal without a person',
    says: 'two thirds',
    refused: 'renewal_too_early',
    told: ['Too little of the lifetime', 'last third has not begun'],
    guides: [['docs/guides/certificate-renewal.md', 'when two thirds of the 90 days have passed']],
    contract: 'must have spent two thirds of its lifetime',
    seen: ['portal-web/src/pages/integration/certificates/new/NewCertificate.tsx', 'from two thirds of its lifetime'],
    tests: {
      'certificate/renewal/requestRenewal.function.ts': [
        'tests/rest-api/certificateRenewal.test.ts',
        'before two thirds of the lifetime it is too early',
      ],
    },
  },
  'usageLimits.requestLogKept': {
    row: null,
    section: '### Retention',
    says: `| request log | ${spanWords(usageLimits.requestLogKept)}`,
    refused: null,
    told: null,
    guides: [['docs/guides/errors.md', 'For 7 days, you can find a request']],
    contract: null,
    seen: ['portal-web/src/pages/integration/requests/RequestPanel.tsx', 'Requests are kept for 7 days'],
    tests: { 'usage/requestLog.function.ts': ['tests/domain/usage/requestLog.test.ts', 'a request is shown for seven days'] },
  },
};

test('what the functions of the database limit has a row in keptBySql', () => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.function.ts'));
  // Parts of their SQL are made where others need them as well. Of quotas, they take the names.
  const parts = files.flatMap((file) =>
    [...readFileSync(`server/${file}`, 'utf8').matchAll(/^import (?!type )[^;]* from '(\.[^']+)';/gm)].map(([, path = '']) =>
      join(dirname(file), path),
    ),
  );
  const makers = new Set([...files, ...parts].filter((file) => !/imits\.ts$|client\/quotas\.ts$/.test(file)));
  const used = [...makers].flatMap((file) =>
    (readFileSync(`server/${file}`, 'utf8').match(/\b(?:limits|[a-z]+Limits)\.(?!ts\b)\w+/g) ?? []).map((limit) => ({ file, limit })),
  );
  const missing = used
    .filter(({ limit }) => !(limit in keptBySql))
    .map(
      ({ file, limit }) =>
        `server/${file} uses ${limit}: add its row to keptBySql, with its row of “Limits”, the section of the specification and what it says, the refusal, the guides, the contract, the page or mail that tells the owner and the tests that show it`,
    );
  // These would not be seen above.
  const hidden = [...makers].filter((file) => /\} = \w*[lL]imits\b/.test(readFileSync(`server/${file}`, 'utf8')));
  expect(hidden.map((file) => `server/${file}: name its limits as in limits.requestBodyBytes`)).toEqual([]);
  const unused = Object.keys(keptBySql).filter((limit) => !used.some((each) => each.limit === limit));
  expect([...missing, ...unused.map((limit) => `no function uses ${limit}: take its row out of keptBySql`)]).toEqual([]);
});

test('each file that keeps a limit which SQL keeps too has a test of its own', () => {
  const sources = globSync('server/domain/**/*.ts').map((file) => ({
    file: file.replace('server/domain/', ''),
    text: readFileSync(file, 'utf8'),
  }));
  const untested = Object.entries(keptBySql).flatMap(([limit, { tests }]) => {
    // What only tells it compares nothing with it.
    const compared = new RegExp(`(?:[<>]=?|===) ${limit.replace('.', '\\.')}\\b`);
    const keepers = sources.filter(({ file, text }) => compared.test(text) || (file.endsWith('.function.ts') && text.includes(limit)));
    return keepers
      .filter(({ file }) => !(file in tests))
      .map(({ file }) => `server/domain/${file} compares with ${limit}: name the test in keptBySql that fails where it does not`);
  });
  expect(untested).toEqual([]);
});

test.each(Object.entries(keptBySql))(
  '%s, which SQL keeps, is in the specification, is refused by a known name, and has a test',
  (_, kept) => {
    const contract = kept.contract === null ? [] : [['rest-api/contract/openapi.yaml', kept.contract] as const];
    const places = [[kept.section, kept.says] as const, ...kept.guides, ...contract, ...(kept.seen ? [kept.seen] : [])];
    expect([...places, ...Object.values(kept.tests)].flatMap((each) => unsaid(...each))).toEqual([]);
    const [, page] = Object.entries(problemTexts).find(([code]) => code === kept.refused) ?? [];
    const row = rows('### Problem codes').find(([, codes = '']) => codes.includes(`\`${kept.refused}\``))?.[2];
    if (page)
      expect([page.meaning, row]).toEqual(
        (kept.told ?? ['what its page says', 'what its row says']).map((each) => expect.stringContaining(each)),
      );
    const known = kept.refused === null || kept.refused in errorCatalogue || linkCodeRefusals.some((reason) => reason === kept.refused);
    expect(
      known ? [] : [`${kept.refused} is neither in errorCatalogue nor in linkCodeRefusals (server/domain/sharing/linkCodeFacts.ts)`],
    ).toEqual([]);
  },
);

test.each([
  ['docs/guides/errors.md', '## What to do'],
  ['rest-api/contract/openapi.yaml', '## Retries'],
])('%s says of each status whether to retry, as the page of each problem does', (file, heading) => {
  const [, rest = ''] = readFileSync(file, 'utf8').split(`${heading}\n`);
  const [table = ''] = rest.split(/^ *## /m);
  const advice = [...table.matchAll(/^ *\| (.*`.*) \| (.*) \|$/gm)].map(([, responses = '', text = '']) => ({ responses, text }));
  const codes = namesOf(errorCatalogue).filter((code) => !('portalOnly' in errorCatalogue[code]));
  const comesBack = (code: (typeof codes)[number]) => {
    const own = advice.find(({ responses }) => responses.includes(`\`${errorCatalogue[code].status}\``));
    const { text } = own ?? advice.find(({ responses }) => responses.startsWith('other `4xx`')) ?? { text: '' };
    return text.startsWith('Do not retry') === text.includes(`\`${code}\``);
  };
  expect(codes.filter(comesBack)).toEqual(codes.filter((code) => problemTexts[code].retry === 'later'));
});

test('a 429 of the machine API comes from admission, which takes nothing for it', () => {
  const waits = new Set<string>(namesOf(errorCatalogue).filter((code) => errorCatalogue[code].status === 429));
  const late = Object.entries(keptBySql).filter(
    ([, { refused, tests }]) => waits.has(refused ?? '') && Object.values(tests).some(([file]) => file.startsWith('tests/rest-api/')),
  );
  // By then the request has been counted against its quotas, and the answer could name no policy.
  expect(late.map(([limit]) => `${limit}: make it a window of admission (classWindows in server/domain/client/quotas.ts)`)).toEqual([]);
});

type RedemptionLimit = Extract<keyof typeof limits, `linkCodeRedemptions${string}`>;
/** How often codes can be redeemed: the window of each limit, as sentences tell it. */
const redemptionWindows: Readonly<Record<RedemptionLimit, string>> = {
  linkCodeRedemptionsPerHour: 'an hour',
  linkCodeRedemptionsPerIpPer15Minutes: 'in 15 minutes',
};
const contract = readFileSync('rest-api/contract/openapi.yaml', 'utf8');

test.each([
  ['“Limits” of docs/specification.md', specifiedUnder('## Limits')],
  ['docs/guides/quotas.md', readFileSync('docs/guides/quotas.md', 'utf8')],
  ['“Rate limits” of rest-api/contract/openapi.yaml', /Redemptions are limited[^]*?address\./.exec(contract)?.[0]],
  ['the redemption in rest-api/contract/openapi.yaml', /Counts against \d+ redemptions[^]*?minute\./.exec(contract)?.[0]],
  ['server/portal-http/pages/problemTexts.ts', problemTexts.link_code_attempts_exceeded.meaning],
])('%s has every limit of redemptions', (place, text = '') => {
  const windows = Object.entries(redemptionWindows) as [RedemptionLimit, string][];
  const missing = windows.filter(([limit, window]) => !new RegExp(`\\b${limits[limit]}\\b(?: redemptions)? ${window}`).test(text));
  expect(missing.map(([limit, window]) => `${place}, where it tells of redemptions, has to say: ${limits[limit]} ${window}`)).toEqual([]);
});

/** What lists the reasons why a code cannot be redeemed: the paragraph of a document, and what the page of the problem says. */
const reasonsIn = (document: string) =>
  readFileSync(document, 'utf8')
    .split(/\n\s*\n/)
    .filter((paragraph) => /`(?:404 )?link_code_not_redeemable`[^]*\breason\b/.test(paragraph))
    .join('\n');
const lists = ['docs/specification.md', 'docs/guides/link-codes.md', 'rest-api/contract/openapi.yaml'].map((file) => [
  file,
  reasonsIn(file),
]);

test.each([...lists, ['server/portal-http/pages/problemTexts.ts', problemTexts.link_code_not_redeemable.meaning]])(
  '%s lists every reason why a code cannot be redeemed',
  (place, text = '') => {
    const said = text.replaceAll(/\s+/g, ' ');
    const missing = linkCodeRefusals.filter((reason) => !new RegExp(`\\b${reason}\\b`).test(said));
    expect(missing.map((reason) => `${place}, where it lists the reasons for link_code_not_redeemable, has to say: ${reason}`)).toEqual([]);
  },
);

const together = (names: readonly string[]) => new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);
const expiringSooner = together(
  webhookEventTypes.filter((type) => eventTypeFacts[type].lifetime === 'updateEventLifetime').map((type) => `\`${type}\``),
);

/** Numbers in sentences: the section or the document, and what it says with the present value. */
const sentences: readonly (readonly [string, string])[] = [
  ['### Registration', `expire after ${spanWords(accountLimits.verificationLinkLifetime)}`],
  ['### Registration', `which has ${word(accountLimits.registrationCodeTries)} tries`],
  ['### Passkeys', `at most ${accountLimits.passkeysPerOperator} passkeys`],
  ['### Passkeys', `within ${word(accountLimits.challengeLifetime / minute)} minutes`],
  ['### Sessions', `| ends after inactivity | ${spanWords(accountLimits.sessionIdle)} |`],
  ['### Sessions', `| ends in any case | after ${spanWords(accountLimits.sessionLifetime)} |`],
  ['### Sessions', `| gets a new cookie while in use | every ${spanWords(accountLimits.sessionRotation)} |`],
  ['### Sessions', `| live sessions of an account | ${accountLimits.sessionsPerOperator};`],
  ['### Fresh confirmation', `for ${word(accountLimits.freshPasskey / minute)} minutes`],
  ['### Recovery codes', `has ${word(accountLimits.recoveryCodes)} codes`],
  ['### Recovery codes', `for ${spanWords(accountLimits.enrolmentLifetime)}`],
  ['### Lost accounts', `${limits.accountResetWait / hour} hours after the approval, and for ${spanWords(limits.accountResetUsable)}`],
  ['### Emails', `handed over ${word(limits.mailHandovers)} times`],
  ['### Integration profile', `up to ${accountLimits.integrationsPerOperatorPerDay} new ones a day`],
  ['### Integration profile', `asked ${accountLimits.slugChecksPerOperatorPerHour} times an hour`],
  ['### Quota overrides', `within ${spanWords(limits.quotaOverrideLifetime)}`],
  ['### Rotation', `at most ${word(certificateLimits.certificatesPerClient)} certificates`],
  ['### Rotation', `at most ${certificateLimits.certificateOverlap / day} more days`],
  ['### Link codes', `to ${limits.resourcesPerShare} orders and stock vehicles`],
  ['### Link codes', `valid for ${spanWords(limits.linkCodeLifetime)}`],
  ['### Link codes', `| generated | ${word(limits.failedAttemptsPerCode)} attempts fail |`],
  ['### Redemption', `(${limits.redemptionRefusedAfter} ms)`],
  ['### Revocation', `${spanWords(limits.deletionDeadline)} later`],
  ['### Acknowledgement', `count for ${spanWords(limits.idempotencyKeyLifetime)}`],
  ['### Recorded deletions', `up to ${numberWords(limits.deletionsRecordedAtOnce)} that match a filter`],
  ['### Deletion deadlines', `On day ${limits.deletionWarning / day} the owner is warned`],
  ['### Deletion deadlines', `On day ${limits.deletionDeadline / day} an `],
  ['### Webhook endpoints', `at most ${word(webhookLimits.webhookEndpoints)} endpoints`],
  ['### Webhook endpoints', `at most ${webhookLimits.webhookDescription} characters`],
  ['### Webhook endpoints', `register ${webhookLimits.webhookRegistrationsPerOperatorPerDay} endpoints a day`],
  ['### Replays', `for ${webhookLimits.webhookReplayWindow / hour} hours from the order on`],
  ['### Replays', `up to ${numberWords(webhookLimits.deliveriesReplayedAtOnce)} at once`],
  ['### Replays', `${numberWords(webhookLimits.replaysPerOperatorPerDay)} deliveries replayed in a day`],
  ['### Health', `more than ${word(limits.syncStoppedAfterCadences)} times as long ago`],
  ['### Health', `the last one ends within ${spanWords(certificateLimits.certificateNotice)}`],
  ['### Finding', `at most ${limits.searchLength} characters and finds at most ${word(limits.hitsOfOneKind)} things`],
  ['### Finding', `may search ${accountLimits.findsPerOperatorPer15Minutes} times in 15 minutes`],
  ['### Lists', `pages of 1 to ${limits.pageSize}`],
  ['docs/guides/account.md', `confirmation lasts ${word(accountLimits.freshPasskey / minute)} minutes`],
  [
    'docs/guides/account.md',
    `after ${spanWords(accountLimits.sessionIdle)} of inactivity, and after ${spanWords(accountLimits.sessionLifetime)} in any case`,
  ],
  ['docs/guides/account.md', `You get ${word(accountLimits.recoveryCodes)} codes`],
  ['docs/guides/account.md', `at least ${limits.accountResetWait / hour} hours`],
  ['docs/guides/quickstart.md', `within ${spanWords(accountLimits.verificationLinkLifetime)}`],
  ['docs/guides/quickstart.md', `${limits.corpusOrders} orders with \`orders.read\`, ${limits.corpusVehicles} stock vehicles`],
  ['docs/guides/quickstart.md', `every ${spanWords(limits.pollingIntervalSeconds * 1_000)}`],
  ['docs/guides/certificates.md', `valid for ${spanWords(certificateLimits.certificateLifetime)}`],
  ['docs/guides/certificates.md', `within ${spanWords(certificateLimits.p12ClaimTime)}`],
  ['docs/guides/certificates.md', `entered ${word(certificateLimits.wrongTokensPerP12)} times`],
  ['docs/guides/certificates.md', `at most ${spanWords(certificateLimits.certificateOverlap)} after the new one was issued`],
  ['docs/guides/certificate-renewal.md', `there are ${word(certificateLimits.certificatesPerClient)} certificates already`],
  [
    'docs/guides/certificate-renewal.md',
    `| certificates at a time | ${word(certificateLimits.certificatesPerClient)}; the older one works for at most ${certificateLimits.certificateOverlap / day} more days |`,
  ],
  [
    'docs/guides/certificates.md',
    `at most ${word(certificateLimits.certificatesPerClient)} usable certificates at a time, and you can request ${certificateLimits.certificateRequestsPerClientPerDay} within a day`,
  ],
  ['docs/guides/deletions.md', `You then have ${spanWords(limits.deletionDeadline)}`],
  ['docs/guides/link-codes.md', `| lifetime of a code | ${spanWords(limits.linkCodeLifetime)} |`],
  ['docs/guides/syncing.md', `at most ${limits.recordsPerResponse} records and ${mib(limits.responseBytes)}`],
  ['docs/guides/syncing.md', `Sync every ${spanWords(limits.pollingIntervalSeconds * 1_000)}`],
  ['docs/guides/syncing.md', `${limits.requestsPerMinute} requests a minute are allowed`],
  [
    'docs/guides/statistics.md',
    `quota of ${limits.statisticsRequestsPerHour} requests an hour, and a response is at most ${mib(limits.statisticsResponseBytes)}`,
  ],
  ['docs/guides/statistics.md', `at least ${limits.minimumGroupSize} users`],
  ['docs/guides/webhooks.md', `within ${seconds(challenge.totalMs)} and in at most ${kib(challenge.responseBodyBytes)}`],
  [
    'docs/guides/webhooks.md',
    `nothing within ${seconds(webhookLimits.webhookDelivery.totalMs)}, more than ${kib(webhookLimits.webhookDelivery.responseBodyBytes)}`,
  ],
  ['docs/guides/webhooks.md', `change every ${spanWords(webhookLimits.signingKeyRotation)}`],
  ['docs/guides/webhooks.md', `stays for ${spanWords(webhookLimits.signingKeyKept)}`],
  [
    'docs/guides/webhooks.md',
    `(${webhookLimits.updateEventLifetime / hour} hours for ${expiringSooner}, otherwise ${spanWords(webhookLimits.eventLifetime)})`,
  ],
  [
    'docs/operating/webhooks.md',
    `for ${webhookLimits.updateEventLifetime / hour} hours (${expiringSooner}) or for ${spanWords(webhookLimits.eventLifetime)} (all others)`,
  ],
  [
    'rest-api/contract/openapi.yaml',
    `${limits.requestsPerHour} requests an hour, ${limits.requestsPerMinute} a minute and ${limits.concurrentRequests} at once`,
  ],
  ['rest-api/contract/openapi.yaml', `separate limit of ${limits.statisticsRequestsPerHour} an hour`],
  [
    'rest-api/contract/openapi.yaml',
    `limited to ${limits.linkCodeRedemptionsPerHour} an hour, and to ${limits.linkCodeRedemptionsPerIpPer15Minutes} in 15 minutes`,
  ],
  ['rest-api/contract/openapi.yaml', `renewal of certificates are limited to ${limits.estRequestsPerHour} an hour`],
  [
    'rest-api/contract/openapi.yaml',
    `the limit of ${word(certificateLimits.certificatesPerClient)} certificates and the overlap of ${spanWords(certificateLimits.certificateOverlap)}`,
  ],
  ['rest-api/contract/openapi.yaml', `everything derived from it, within ${spanWords(limits.deletionDeadline)}`],
  ['rest-api/contract/openapi.yaml', `valid for ${spanWords(certificateLimits.certificateLifetime)}`],
  ['rest-api/contract/openapi.yaml', `already has ${certificateLimits.certificatesPerClient} certificates that are pending or usable`],
  ['rest-api/contract/openapi.yaml', `blocked after ${word(limits.failedAttemptsPerCode)} failed attempts`],
  ['rest-api/contract/asyncapi.yaml', `event expires or ${spanWords(webhookLimits.eventLifetime)} have passed`],
];

test.each(sentences)('%s says “%s”', (place, says) => {
  expect(unsaid(place, says)).toEqual([]);
});

test('what is not said is told with the words that stand in its place, not with a whole line beside them', () => {
  expect(unsaid('rest-api/contract/openapi.yaml', 'the limit of nine certificates and the overlap of 99 days')).toEqual([
    expect.stringMatching(/\nIt says: the limit of two certificates and the overlap of 14 days$/),
  ]);
  expect(unsaid('rest-api/contract/openapi.yaml', 'already has 9 certificates that are pending or usable')).toEqual([
    expect.stringMatching(/\nIt says: already has 2 certificates that are pending or usable$/),
  ]);
});

test('“Quotas” has the baseline of every quota', () => {
  const windows = [...quotaWindows, sourceWindow, concurrency];
  const specified = rows('### Quotas').map(([name, baseline = '']) => [name, Number.parseInt(baseline, 10)]);
  expect(specified).toEqual(windows.map(({ name, quota }) => [`\`${name}\``, quotas[quota].baseline]));
});

const mails = 'server/domain/notification';
const pages = 'portal-web/src/pages';
/** What messages, mails and pages say in so many words, and where. */
const messages: readonly (readonly [string, readonly string[]])[] = [
  [
    spanWords(accountLimits.verificationLinkLifetime),
    [
      ...['confirmEmailChange', 'confirmRegistration', 'confirmRegistrationCode'].map((file) => `server/domain/account/address/${file}.ts`),
      `${mails}/accountMailTexts.ts`,
      ...['ConfirmAddressPage', 'RegisterPage', 'VerifyPage'].map((file) => `${pages}/account/${file}.tsx`),
    ],
  ],
  [
    `${spanWords(accountLimits.enrolmentLifetime)} to create a`,
    [
      `${mails}/accountMailTexts.ts`,
      'portal-web/src/features/passkey/ResetWarning.tsx',
      `${pages}/account/EnrolPage.tsx`,
      `${pages}/account/RecoverPage.tsx`,
    ],
  ],
  [
    `${spanWords(accountLimits.sessionIdle)} of inactivity, and after ${spanWords(accountLimits.sessionLifetime)}`,
    [`${pages}/account/account/SessionPanel.tsx`],
  ],
  [
    `${spanWords(accountLimits.sessionIdle)}, reached its ${accountLimits.sessionLifetime / hour}-hour limit`,
    [`${pages}/account/SignInPage.tsx`],
  ],
  [
    spanWords(limits.deletionDeadline),
    [
      'server/domain/integration/profile/scopeRules.ts',
      'server/domain/sharing/deletion/suspendForMissedDeletion.ts',
      `${mails}/topicWords.ts`,
      `${pages}/integration/deletions/IntegrationDeletionsPage.tsx`,
      `${pages}/integration/profile/RetirePanel.tsx`,
      `${pages}/integration/sandbox/RevokeShareDialog.tsx`,
      `${pages}/public/landing/LandingPage.tsx`,
    ],
  ],
  [
    `${limits.accountResetWait / hour} hours`,
    ['server/portal-api/administration/OperatorResolver.ts', `${pages}/admin/operator/ResetPanel.tsx`, `${pages}/account/RecoverPage.tsx`],
  ],
  [
    `within ${spanWords(certificateLimits.p12ClaimTime)}`,
    [
      'server/domain/certificate/p12/claimP12.ts',
      'server/portal-api/certificate/CertificateResolver.ts',
      `${mails}/integrationMailTexts.ts`,
    ],
  ],
  [`${word(certificateLimits.wrongTokensPerP12)} wrong claim tokens`, [`${mails}/integrationMailTexts.ts`]],
  [spanWords(certificateLimits.certificateOverlap), ['server/domain/evidence/evidenceKinds.ts', `${mails}/integrationMailTexts.ts`]],
  [`at most ${certificateLimits.certificateOverlap / day} more days`, [`${mails}/integrationMailTexts.ts`]],
  [
    `the ${spanWords(certificateLimits.certificateLifetime)} of a client certificate`,
    ['server/domain/certificate/authority/authorityRules.ts'],
  ],
  [`valid for ${spanWords(certificateLimits.crlLifetime)}`, [`${mails}/words/serviceWords.ts`]],
  [`${word(limits.deletionDeadline / day)} days`, ['server/domain/review/reviewChecklist.ts']],
  [`within ${spanWords(limits.quotaOverrideLifetime)}`, ['server/domain/client/quotaOverrideRules.ts']],
  [mib(limits.statisticsResponseBytes), ['server/domain/statistics/storeGeneration.ts']],
  [
    `${mib(logoLimits.logoBytes)} (${numberWords(logoLimits.logoBytes)} bytes)`,
    ['server/domain/logo/image/logoRefusals.ts', 'server/portal-http/files/logos.ts'],
  ],
  [`within ${seconds(serverLimits.requestTimeout)}`, ['server/domain/shared/errorCatalogue.ts']],
  [`up to ${seconds(serverLimits.requestTimeout)}`, ['server/domain/usage/requestReason.ts']],
  [`${kib(serverLimits.requestHeadBytes)} of headers`, ['server/domain/shared/errorCatalogue.ts']],
  [`lasts ${word(accountLimits.freshPasskey / minute)} minutes`, ['server/domain/shared/errorCatalogue.ts']],
  [`${word(accountLimits.challengeLifetime / minute)} minutes`, ['server/domain/account/passkey/passkeyRefusals.ts']],
  [`${numberWords(accountLimits.credentialIdBytes)} bytes`, ['server/domain/account/passkey/passkeyRefusals.ts']],
  [redemptionWindows.linkCodeRedemptionsPerIpPer15Minutes, ['server/portal-http/pages/problemTexts.ts']],
  [kib(pageCheck.responseBodyBytes), ['server/domain/review/check/judgePages.ts']],
  ...[
    seconds(challenge.connectMs),
    seconds(challenge.totalMs),
    `headers of the answer exceed ${kib(challenge.responseHeaderBytes)}`,
    `body of the answer exceeds ${kib(challenge.responseBodyBytes)}`,
    kib(handshakeBytes),
  ].map((says): readonly [string, readonly string[]] => [says, ['server/domain/webhook/challenge/challengeWords.ts']]),
  [`${kib(handshakeBytes)} of certificates`, ['server/domain/webhook/failureCause.ts']],
  [`within ${seconds(webhookLimits.webhookDelivery.totalMs)}`, ['server/domain/webhook/receiver-check/judgeProbe.ts']],
  [kib(webhookLimits.webhookDelivery.responseBodyBytes), ['server/domain/webhook/receiver-check/probes.ts']],
  [
    `for ${spanWords(webhookLimits.webhookHistoryKept - webhookLimits.webhookReplayWindow)}`,
    ['server/domain/webhook/replay/replayDelivery.ts'],
  ],
  [`for ${spanWords(webhookLimits.signingKeyKept)}`, ['server/keyCommands.ts']],
  [`${together(certificateLimits.certificateWarningDays.map(String))} days before`, [`${mails}/topicWords.ts`]],
  [`failed for ${together(webhookLimits.webhookFailureAlerts.map(spanWords))}`, [`${mails}/topicWords.ts`]],
  [`When ${usageLimits.quotaWarningPercents.map((percent) => `${percent}%`).join(' and ')} of`, [`${mails}/topicWords.ts`]],
  [spanWords(limits.mailKept), [`${pages}/account/inbox/InboxPage.tsx`, 'server/portal-api/attention/NewsResolver.ts']],
  [
    `in the last ${spanWords(reviewLimits.reviewTimesOver)}`,
    ['portal-web/src/features/review/reviewTimesWords.ts', 'server/portal-api/review/OwnReviewResolver.ts'],
  ],
  [
    spanWords(usageLimits.requestLogKept),
    [
      'server/portal-api/usage/UsageResolver.ts',
      'server/portal-api/usage/usageTypes.ts',
      `${pages}/integration/requests/IntegrationRequestsPage.tsx`,
      `${pages}/integration/requests/RequestPanel.tsx`,
      `${pages}/public/reference/WithSample.tsx`,
    ],
  ],
];

test.each(messages)('“%s” is said wherever the limit is told', (says, files) => {
  expect(files.flatMap((file) => unsaid(file, says))).toEqual([]);
});

/** Spans and sizes in messages that are no limit of the service. */
const unlimited = ['No requests in the last 2 hours', 'refused in 2 hours', 'from 1 second up to at most 5 minutes'];

test('every span and every size that a mail or a message has in figures is held by a row above', async () => {
  const figures =
    /(?<!ISO |RFC |[\w.…-])(?:\d[\d,]*|two|three|four|five|six|seven|eight|nine|ten|twenty)[ -](?:(?:more|wrong|claim) )*(?:second|minute|hour|day|week|[KM]iB|byte|time|tries|token)s?\b/g;
  const shown = (await shownTexts()).filter(({ file }) => /^server\/(?:domain\/|portal-http\/|\w+\.ts$)/.test(file));
  const unheld = shown.flatMap(({ file, line, text }) => {
    const held = messages.flatMap(([says, files]) => (files.includes(file) ? [says] : []));
    const without = [...unlimited, ...held].reduce((rest, each) => rest.replaceAll(each, ''), text.replaceAll(/\s+/g, ' '));
    return [...without.matchAll(figures)].map(
      ([told]) => `${file}:${line} says “${told}”: take it from its constant, or add its row to messages`,
    );
  });
  expect(unheld).toEqual([]);
});

test('the guide to quotas has every limit with its value', () => {
  const told = readFileSync('docs/guides/quotas.md', 'utf8').matchAll(/^\| ([a-z].*) \| (\d.*) \|$/gm);
  expect(Object.fromEntries([...told].map(([, name, value]) => [name, value]))).toEqual({
    'pull and detail requests': `${limits.requestsPerHour} an hour`,
    'all requests': `${limits.requestsPerMinute} a minute`,
    'requests at the same time': `${limits.concurrentRequests}`,
    statistics: `${limits.statisticsRequestsPerHour} an hour`,
    'redemptions of link codes': `${limits.linkCodeRedemptionsPerHour} an hour`,
    'redemptions from one source address, malformed ones left out': `${limits.linkCodeRedemptionsPerIpPer15Minutes} in 15 minutes`,
    'requests for the renewal of certificates': `${limits.estRequestsPerHour} an hour`,
    'records in a response': `${limits.recordsPerResponse}`,
    'a response': mib(limits.responseBytes),
    'a statistics response': mib(limits.statisticsResponseBytes),
    "a request's body": kib(limits.requestBodyBytes),
    'polling interval': spanWords(limits.pollingIntervalSeconds * 1_000),
  });
});

test('“Integration status” has every transition, with who makes it, from which status and to which', () => {
  const specified = new Map(rows('### Integration status').map(([action = '', by, from, to]) => [`${action} ${by}`, { from, to }]));
  const { createIntegration: _created, ...transitions } = integrationTransitions;
  const expected = Object.entries(transitions).flatMap(([action, { by, from, to }]) =>
    by.map((role) => [
      `\`${action}\` ${role === 'service' ? 'the service' : role}`,
      {
        from: from.length > 3 ? expect.stringMatching('^any but .*retired') : from.join(', '),
        to: typeof to === 'string' ? to : 'what it was before',
      },
    ]),
  );
  expect(Object.fromEntries(specified)).toEqual(Object.fromEntries(expected));
});

const either = (statuses: readonly string[]) => new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(statuses);
const production = statusesThat((status) => factsOf(status, 'production').refusal === null);
/** What holds deliveries because of a status, as a sentence names it. */
const holdWords: Readonly<Record<HoldReason, string>> = {
  endpoint_not_active: 'an endpoint that is not active',
  integration_suspended: 'a suspension',
  gate_closed: 'a closed gate',
};
const holdsOfStatuses = new Set(integrationStatuses.flatMap((status) => holdOf(status) ?? []));
/** What the specification says of statuses, outside their table, and what follows from their facts. */
const ofStatuses = [
  ['### Emails', `integrations that are ${either(productionStatuses)}`],
  [
    '### Webhook endpoints',
    `production endpoint while it is ${either(statusesThat((status) => factsOf(status, 'production').endpoints === 'yes'))}`,
  ],
  [
    '### Webhook endpoints',
    `While it is ${either(statusesThat((status) => factsOf(status, 'production').calls === 'notNow' && factsOf(status, 'production').endpoints !== 'yes'))}, its production endpoints`,
  ],
  [
    '### Certificate requests',
    `a ${either(statusesThat((status) => phaseOf(status, 'production') !== 'unapproved' && factsOf(status, 'production').certificates !== 'yes'))} integration gets none`,
  ],
  ...statusesThat((status) => factsOf(status, 'production').calls === 'notNow').map(
    (status) =>
      [
        'docs/specification.md',
        `${integrationFacts[status].word.toLowerCase()} integration gets 403 \`${factsOf(status, 'production').refusal}\``,
      ] as const,
  ),
  [
    '### Problem codes',
    `| 403 | ${[...new Set(Object.values(phaseFacts).flatMap(({ refusal }) => (refusal === null ? [] : [`\`${refusal}\``])))].join(', ')} | the status |`,
  ],
  ['### Integration status', `Production access needs the status ${either(production.map((status) => `\`${status}\``))}`],
  ['### Deletion deadlines', `day 7 an ${either(integrationTransitions.suspendForMissedDeletion.from)} integration is suspended`],
  [
    '### Alerts',
    `not while ${either([...holdsOfStatuses, 'gate_closed' as const].map((reason) => holdWords[reason]))} holds its deliveries`,
  ],
  [
    '### Deletion deadlines',
    `integration was not ${either(integrationTransitions.suspendForMissedDeletion.from)} when its deadline passed`,
  ],
  [
    '### Health',
    `while neither ${either([...holdsOfStatuses, 'gate_closed' as const].map((reason) => holdWords[reason])).replace(' or ', ' nor ')} holds deliveries`,
  ],
  ['### Integration status', `works in every status but ${either(statusesThat(isOver).map((status) => `\`${status}\``))}`],
  ...statusesThat((status) => holdOf(status) !== null).map(
    (status) =>
      [
        '#### When an attempt is due',
        `the integration is ${integrationFacts[status].word.toLowerCase()} | held (\`${holdOf(status)}\`)`,
      ] as const,
  ),
  [
    'docs/guides/glossary.md',
    `in one environment: ${either(Object.values(healthFacts).map(({ word: level }) => level.toLowerCase()))}, with`,
  ],
  [
    '### Health',
    `An integration that is ${either(healthLevels.filter((level) => !(signalLevels as readonly string[]).includes(level)).map((level) => healthFacts[level].word.toLowerCase()))} is called that instead`,
  ],
  [
    'docs/guides/certificates.md',
    `except while ${either(statusesThat((status) => factsOf(status, 'production').calls === 'notNow').map((status) => holdWords[holdOf(status)!]))} stops its calls`,
  ],
  [
    '### Attention',
    `while it is ${either(statusesThat((status) => factsOf(status, 'production').calls === 'notNow').map((status) => integrationFacts[status].word.toLowerCase()))}, an endpoint that does not receive`,
  ],
  ...deliveryReasons.held.map((reason) => ['docs/operating/webhooks.md', `\`${reason}\`: `] as const),
  ...Object.values(deliveryReasons).flatMap((reasons) => reasons.map((reason) => ['docs/specification.md', `(\`${reason}\`)`] as const)),
] as const;

test('the advice to those who may not call names the statuses in which calls are answered', () => {
  expect(errorCatalogue.integration_not_active.advice).toContain(`the status ${either(production)}`);
  const { meaning } = problemTexts.integration_not_active;
  expect(meaning).toContain(`only while the integration is ${either(production)}`);
  expect(meaning).toContain(`every status but ${either(statusesThat(isOver))}`);
});

test('“Administration” names every change of a status that is an administrator’s, also among those that need a reason', () => {
  const verbs = Object.entries(integrationTransitions).flatMap(([action, { by }]) =>
    (by as readonly string[]).includes('administrator') ? (/^[a-z]+/.exec(action) ?? []) : [],
  );
  const [acts = '', reasons = ''] =
    /Administrators publish ([^.]+)\.[^.]+\. ([^.]+ need a reason)/
      .exec(specifiedUnder('### Administration').replaceAll(/\s+/g, ' '))
      ?.slice(1) ?? [];
  expect(verbs.length).toBeGreaterThan(2);
  expect(verbs.filter((verb) => !acts.includes(verb))).toEqual([]);
  expect(verbs.filter((verb) => !reasons.toLowerCase().includes(`${verb.replace(/e$/, '')}ing`))).toEqual([]);
});

test.each(ofStatuses)('%s says “%s”, as the facts of the statuses do', (place, says) => {
  expect(unsaid(place, says)).toEqual([]);
});

/** What “Fresh confirmation” lists, with the operations that each part of its list stands for. */
const confirmed: Readonly<Record<string, readonly (keyof typeof permissions)[]>> = {
  'requesting, claiming and revoking certificates': ['requestCertificate', 'requestP12', 'claimP12', 'revokeCertificate'],
  'switching their renewal on and off': ['setRenewalByEst'],
  'changing and verifying webhook endpoints': [
    'registerWebhookEndpoint',
    'reviseWebhookEndpoint',
    'pauseWebhookEndpoint',
    'resumeWebhookEndpoint',
    'removeWebhookEndpoint',
    'verifyWebhookEndpoint',
  ],
  'replaying deliveries and trying them now': ['replayDelivery', 'replayDeliveries', 'attemptDelivery', 'attemptDeliveries'],
  submission: ['submitForReview'],
  activation: ['activateForProduction'],
  retirement: ['retireIntegration'],
  'recording deletions': ['recordDeletion', 'recordDeletions'],
  'review decisions': ['approveSubmission', 'rejectSubmission'],
  'what administrators decide, export or retry': operationsOf((rule) => rule.by === 'administrator'),
  'adding and removing passkeys': ['beginPasskeyAddition', 'finishPasskeyAddition', 'removePasskey'],
  'new recovery codes': ['regenerateRecoveryCodes'],
  'deleting the account': ['deleteAccount'],
};
/** The operations that need a fresh confirmation and of whose rule this holds. */
function operationsOf(holds: (rule: { readonly by: string }) => boolean): (keyof typeof permissions)[] {
  const all = Object.keys(permissions) as (keyof typeof permissions)[];
  return all.filter((operation) => 'freshPasskey' in permissions[operation] && holds(permissions[operation]));
}

test('“Fresh confirmation” lists what needs one, and nothing else', () => {
  expect(unsaid('### Fresh confirmation', `: ${Object.keys(confirmed).join(', ')}.`)).toEqual([]);
  expect(Object.values(confirmed).flat().toSorted()).toEqual(operationsOf(() => true).toSorted());
});

test('“Integration profile” says of every field what is typed into it, whether it is consent-relevant and may change after approval', () => {
  const specified = rows('### Integration profile').flatMap(([names = '', rule = '', relevant, later]) =>
    names.split(', ').map((name) => [name, rule, relevant, later] as const),
  );
  const ruleOf = ({ as, longest }: NonNullable<(typeof profileFields)[keyof typeof profileFields]['typed']>) =>
    ({
      line: `1 to ${numberWords(longest)} characters, one line`,
      paragraphs: `1 to ${numberWords(longest)} characters`,
      email: 'an address',
      url: 'public address',
    })[as];
  const named: Readonly<Record<string, string>> = { Scopes: 'requested scopes', 'Polling plan (minutes)': 'polling plan' };
  const expected = Object.values(profileFields).map(({ label, consentRelevant, minor, typed }) => [
    named[label] ?? label.toLowerCase(),
    typed ? expect.stringContaining(ruleOf(typed)) : expect.any(String),
    consentRelevant ? 'yes' : 'no',
    minor ? 'may change' : 'fixed',
  ]);
  const byName = ([a]: readonly unknown[], [b]: readonly unknown[]) => String(a).localeCompare(String(b));
  expect(specified.toSorted(byName)).toEqual(expected.toSorted(byName));
});

test('“Events” says what shows each type without a webhook and names those that expire sooner, the guide those with a snapshot, “Delivery” those that a revocation discards, and “When an attempt is due” those that are never held', () => {
  const named = (text: string | undefined) =>
    text === undefined
      ? 'sentence not found: its pattern is in this test'
      : [...text.matchAll(/`([a-z]+\.[a-z]+)`/g)].map(([, type]) => type).toSorted();
  const typesThat = (holds: (facts: (typeof eventTypeFacts)[keyof typeof eventTypeFacts]) => boolean) =>
    webhookEventTypes.filter((type) => holds(eventTypeFacts[type])).toSorted();
  const sooner = /^(.*) expires? after (.*), everything else after ([^.]*)\./m.exec(specifiedUnder('### Events'));
  expect(named(sooner?.[1])).toEqual(typesThat(({ lifetime }) => lifetime === 'updateEventLifetime'));
  expect(sooner?.slice(2)).toEqual([`${webhookLimits.updateEventLifetime / hour} hours`, spanWords(webhookLimits.eventLifetime)]);
  expect(named(/\*\*full-payload\*\* mode, (.*) also have/.exec(readFileSync('docs/guides/webhooks.md', 'utf8'))?.[1])).toEqual(
    typesThat(({ about }) => about === 'resource'),
  );
  const revoked = /discards, in the same transaction, every pending or held delivery of (.*?) about it;/.exec(
    specifiedUnder('### Delivery').replaceAll(/\s+/g, ' '),
  );
  expect(named(revoked?.[1])).toEqual(typesThat(({ about }) => about === 'resource'));
  const pulled = { sync: 'the next sync', statistics: 'the next read of statistics', refusals: 'every call is refused' };
  expect(rows('### Events').map(([type, , without]) => [type, without])).toEqual(
    webhookEventTypes.map((type) => [`\`${type}\``, pulled[eventTypeFacts[type].pulledBy]]),
  );
  const unheld = /^- (.*) are held only by their endpoint\.$/m.exec(specifiedUnder('#### When an attempt is due'));
  expect(named(unheld?.[1])).toEqual(typesThat(({ isNeverHeld }) => isNeverHeld));
});

const outOfDateReasons = Array.from(new Set(Object.values(outOfDate).flatMap((reasons) => Object.keys(reasons))));

test.each(outOfDateReasons)('“When an attempt is due” names the types that are discarded as %s', (reason) => {
  const [what = ''] = rows('#### When an attempt is due').find(([, then]) => then === `discarded (\`${reason}\`)`) ?? [];
  const named = [...what.matchAll(/`([a-z]+\.[a-z]+)`/g)].map(([, type]) => type);
  expect(named.toSorted()).toEqual(webhookEventTypes.filter((type) => reason in outOfDate[eventTypeFacts[type].about]).toSorted());
});

/** What the topics of the staff are called in a sentence. */
const staffTopicNames: Readonly<Record<keyof typeof staffTopics, string>> = {
  submissions: 'submissions',
  answers: 'answers',
  businessModels: 'reports of business models',
  suspensions: 'suspensions',
  overdueDeletions: 'overdue deletions',
  accountResets: 'requests to reset an account',
};

test('“Emails” names every topic of each role of the staff', () => {
  const [, reviewers, administrators] =
    /reviewers are told of ([^,]*, .*?), administrators of (.*?)\. /.exec(specifiedUnder('### Emails').replaceAll(/\s+/g, ' ')) ?? [];
  const topicsOf = (role: 'reviewer' | 'administrator') =>
    namesOf(staffTopicNames).flatMap((topic) => (roleOfTopic(topic) === role ? [staffTopicNames[topic]] : []));
  expect([reviewers, administrators].map((said) => said?.split(/, | and /))).toEqual([topicsOf('reviewer'), topicsOf('administrator')]);
});

test('“Emails” and the guide name every topic that owners can switch off', () => {
  const owners = notificationTopics.filter((topic) => roleOfTopic(topic) === null);
  for (const text of [specifiedUnder('### Emails'), readFileSync('docs/guides/account.md', 'utf8')])
    expect(
      /can (?:switch|turn) off (?:emails about )?([^.;]*?)(?:, each|[.;])/.exec(text.replaceAll(/\s+/g, ' '))?.[1]?.split(/, | and /),
    ).toEqual(owners);
});

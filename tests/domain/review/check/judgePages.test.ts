import { expect, test } from '@jest/globals';
import { judgeAnswer, judgeBadge, judgeCodeField, judgeLink } from '../../../../server/domain/review/check/judgePages.ts';
import type { PageFacts } from '../../../../server/domain/review/check/pageFacts.ts';
import type { FoundPage } from '../../../../server/domain/review/check/runPageCheck.ts';

const page = (more: Partial<FoundPage> = {}): FoundPage => ({
  page: 'linkingPage',
  url: 'https://www.example.com/link',
  status: 200,
  error: null,
  ledTo: null,
  unread: null,
  facts: null,
  ...more,
});
const facts = (more: Partial<PageFacts> = {}): PageFacts => ({
  badge: 'absent',
  codeField: 'absent',
  linksTo: { privacyPolicy: false, termsOfService: false, supportEmail: false },
  ...more,
});

test.each([
  ['passed', { status: 200 }],
  ['passed', { status: 200, error: 'response_too_large', unread: 'too_large' }],
  ['failed', { status: 404 }],
  ['failed', { status: 410 }],
  ['failed', { status: 301, ledTo: 'https://elsewhere.example/' }],
  ['failed', { status: null, error: 'certificate_expired' }],
  ['failed', { status: null, error: 'certificate_wrong_name' }],
  ['failed', { status: null, error: 'certificate_untrusted' }],
  // What may be this service’s fault, or pass, blocks nobody.
  ...[202, 204, 302, 400, 401, 403, 405, 406, 418, 451, 999].map((status) => ['unknown', { status }] as const),
  ['unknown', { status: 429 }],
  ['unknown', { status: 503 }],
  ['unknown', { status: null, error: 'no_public_address' }],
  ['unknown', { status: null, error: 'dns_timeout' }],
  ['unknown', { status: null, error: 'connection_refused' }],
  ['unknown', { status: null, error: 'host_unreachable' }],
  ['unknown', { status: null, error: 'timeout' }],
  ['unknown', { status: null, error: 'certificate_not_yet_valid' }],
  ['unknown', { status: null, error: 'service_error' }],
  ['unknown', { status: 200, error: 'connection_reset' }],
] as const)('a page has “%s” when its visit ended with %j', (outcome, visit) => {
  expect(judgeAnswer(page(visit)).outcome).toBe(outcome);
});

test('a redirect says where it leads and what to enter', () => {
  expect(judgeAnswer(page({ status: 301, ledTo: 'https://example.com/new' })).found).toBe(
    'It redirects to https://example.com/new. Enter the address that answers without a redirect.',
  );
});

test('reviewers read what was found, without what the owner is told to do', () => {
  const findings = [
    judgeAnswer(page({ status: 301, ledTo: 'https://example.com/new' })),
    judgeAnswer(page({ status: null, error: 'certificate_expired' })),
    judgeBadge([page({ facts: facts({ badge: 'incomplete' }) })]),
    judgeCodeField(page({ facts: facts({ codeField: 'number' }) })),
  ];
  expect(findings.map(({ forReviewers }) => forReviewers)).toEqual([
    'It redirects to https://example.com/new.',
    'The server’s certificate has expired.',
    'The linking page has only part of the badge.',
    'The field for the code is a number field, which loses leading zeroes.',
  ]);
});

test('the badge counts in any page that shows data, and what could not be read is unknown', () => {
  const website = page({ page: 'website', facts: facts() });
  expect(judgeBadge([website, page({ facts: facts({ badge: 'complete' }) })])).toMatchObject({ outcome: 'passed' });
  expect(judgeBadge([website, page({ facts: facts({ badge: 'incomplete' }) })]).found).toContain(
    'The linking page has only part of the badge.',
  );
  expect(judgeBadge([website, page()]).found).toContain('The HTML of the website has no badge.');
  expect(judgeBadge([page({ page: 'website', unread: 'compressed' })])).toMatchObject({ outcome: 'unknown' });
  // A privacy policy shows no data.
  expect(judgeBadge([page({ page: 'privacyPolicy', facts: facts({ badge: 'complete' }) })]).outcome).toBe('unknown');
});

test('a number field is told what it loses, and a page that was not read says why', () => {
  expect(judgeCodeField(page({ facts: facts({ codeField: 'number' }) }))).toMatchObject({
    outcome: 'failed',
    found: expect.stringContaining('leading zeroes'),
  });
  expect(judgeCodeField(page({ unread: 'too_large' }))).toMatchObject({ outcome: 'unknown', found: expect.stringContaining('512 KiB') });
  expect(judgeLink(page({ unread: 'not_html' }), 'privacyPolicy')).toMatchObject({ outcome: 'unknown' });
  expect(judgeLink(page({ facts: facts() }), 'supportEmail').outcome).toBe('failed');
});

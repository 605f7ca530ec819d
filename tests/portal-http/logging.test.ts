import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { newKey, requestFor } from '../support/clients/portalClient.ts';

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());

test('after everything from registration to certificate the log holds no token, address, recovery code, cookie, challenge or request', async () => {
  const operator = application.browser();
  const secrets: string[] = ['log-reader@example.com', 'log-reader'];
  const token = await operator.verificationToken('log-reader@example.com');
  secrets.push(token);
  await operator.must('confirmRegistration', { input: { token } });
  secrets.push(operator.cookie ?? '');
  const options = await operator.creationOptions();
  const response = operator.passkey.create(options, operator.origin);
  secrets.push(options.challenge, options.user.id, response.id, response.response.clientDataJSON);
  const { data } = await operator.enrol(response, 'My secret laptop');
  secrets.push('My secret laptop', ...(data?.recoveryCodes ?? []), ...(data?.recoveryCodes ?? []).map((code) => code.replaceAll('-', '')));
  secrets.push(operator.cookie ?? '', (operator.cookie ?? '').split('.')[2] ?? '');
  await operator.signIn();
  await operator.confirmFreshly();
  const regenerated = await operator.must<string[]>('regenerateRecoveryCodes');
  await operator.call('redeemRecoveryCode', { input: { code: '0a1b-2c3d-4e5f-6g7h' } });
  await operator.call('redeemRecoveryCode', { input: { code: regenerated[0] } });
  secrets.push(...regenerated, '0a1b-2c3d-4e5f-6g7h', operator.cookie ?? '', 'A new phone nobody logs');
  const replaced = operator.passkey.create({ ...(await operator.creationOptions()), excludeCredentials: [] }, operator.origin);
  secrets.push(...((await operator.enrol(replaced, 'A new phone nobody logs')).data?.recoveryCodes ?? ['no codes came']));
  const integration = await operator.createIntegration({ supportEmail: 'support-reader@example.com', purpose: 'A purpose nobody logs.' });
  const key = newKey();
  secrets.push('support-reader@example.com', 'A purpose nobody logs.', requestFor(integration.commonName, key).split('\n')[1] ?? '');
  await operator.issuedCertificate(integration, key);
  // Includes refusals and failures: a wrong token, a wrong type with an address in it, a query string.
  await operator.call('confirmRegistration', { input: { token: 'wrong-token-with-secret' } });
  await operator.call('requestRegistration', { input: { email: { a: 'wrong-type@example.com' } } });
  await operator.fetch('/verify?token=query-string-secret');
  await operator.fetch('/missing.js?token=query-string-secret', {
    headers: { authorization: 'Bearer header-secret', referer: 'https://x/?referer-secret' },
  });
  await application.rows('alter table operator rename column email_key to email_key_away');
  await operator.call('requestRegistration', { input: { email: 'unlucky@example.com' } });
  await application.work();
  await application.rows('alter table operator rename column email_key_away to email_key');
  secrets.push(
    'wrong-token-with-secret',
    'wrong-type@example.com',
    'query-string-secret',
    'header-secret',
    'referer-secret',
    'unlucky@example.com',
  );

  expect(secrets.every((secret) => secret.length > 5)).toBe(true);
  const log = application.log();
  for (const secret of secrets) expect(log.includes(secret) ? `the log holds ${secret}` : 'nothing').toBe('nothing');
});

test('each request is one line with id, method, path without query, status and duration', async () => {
  const response = await application.browser().fetch('/problems/not_found?x=1');
  const requestId = response.headers.get('x-request-id');
  const lines = application
    .log()
    .split('\n')
    .filter((line) => line.includes(requestId ?? 'none'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'info',
      msg: 'portal.request',
      method: 'GET',
      path: '/problems/not_found',
      status: 200,
      durationMs: expect.any(Number),
      requestId,
      aborted: false,
    }),
  ]);
});

test('a path where nothing is stands neither in the log nor in the answer, since it may be a code in the wrong place', async () => {
  const response = await application.browser().fetch('/exports/0123-4567-89ab-cdef.csv');
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'not_found', instance: '/' });
  expect(application.log()).toContain(response.headers.get('x-request-id'));
  const page = await application.browser().fetch('/4567-89ab-cdef-0123', { headers: { accept: 'text/html' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(application.log()).toContain(page.headers.get('x-request-id'));
  for (const code of ['0123-4567-89ab-cdef', '4567-89ab-cdef-0123']) expect(application.log()).not.toContain(code);
});

test('a GraphQL request is logged with what it asked for and how it was refused, not with what it said', async () => {
  const visitor = application.browser();
  const lineOf = (requestId: string | null) =>
    JSON.parse(
      application
        .log()
        .split('\n')
        .find((line) => line.includes(`"${requestId}"`) && line.includes('portal.request')) ?? '{}',
    ) as Record<string, unknown>;
  const ask = async (query: string, variables = {}) => lineOf((await visitor.graphql(query, variables)).headers.get('x-request-id'));
  expect(await ask('query Named { mine: viewer { kind } service { portalUrl } }')).toMatchObject({
    operations: 'viewer service',
    status: 200,
  });
  expect(await ask('query Named { mine: viewer { kind } service { portalUrl } }')).not.toHaveProperty('errorCode');
  const recovery = 'mutation Guess($code: String!) { mine: redeemRecoveryCode(input: { code: $code }) { kind } }';
  expect(await ask(recovery, { code: '0000-0000-0000-0000' })).toMatchObject({
    operations: 'redeemRecoveryCode',
    errorCode: 'not_found',
    status: 200,
  });
  expect(await ask('{ integrations { totalCount } }')).toMatchObject({ operations: 'integrations', errorCode: 'unauthenticated' });
  const unknown = await ask('{ noSuchFieldOfSecrets }');
  expect(unknown).toMatchObject({ route: 'graphql', errorCode: 'invalid_request' });
  expect(JSON.stringify(unknown)).not.toContain('Secrets');
});

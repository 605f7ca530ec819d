import { callerAddress } from '../../server/platform/callerAddress.ts';
import { plainAddress } from '../../server/platform/clientAddress.ts';
import { encodeFor, wishedCoding } from '../../server/platform/http/contentCoding.ts';
import { codedEtag, matchesNone, unchangedEtag } from '../../server/platform/http/validators.ts';
import type { Answer, Call, Operation, Services } from '../Operation.ts';
import { conditional, sendDocument } from '../answer/sendDocument.ts';
import { scopeRequired } from '../answer/accessRefusal.ts';
import { meantPath } from '../matchOperation.ts';
import { type MachineContext, type MachineMiddleware, tlsSocket } from '../MachineContext.ts';
import { Problem } from '../answer/problemDetails.ts';
import { readPkcs10 } from '../est/readPkcs10.ts';
import { readQuery } from '../request/queryParameters.ts';
import { readBody, refuseBody } from '../request/requestBody.ts';

const noBytes = Buffer.alloc(0);

/** The last of the checks, in this order: whether there is such an operation, scope, production gate, validation of the request. Then comes the operation itself. */
export function dispatch(services: Services): MachineMiddleware {
  return async (context) => {
    const { match, admission, certificate } = context.state;
    const client = admission?.client;
    if (!client || !certificate) throw new Error('An operation needs an admitted client.');
    if (match.found === 'nothing') throw noSuchPath(context.path);
    if (match.found === 'path') throw new Problem('method_not_allowed', { headers: { Allow: match.allow.join(', ') } });
    const { operation, parameters } = match;
    checkAccess(operation, client);
    const { req, state } = context;
    const call: Call = {
      client,
      certificate,
      actor: {
        type: 'client',
        clientId: client.id,
        certificateId: client.certificateId,
        ip: plainAddress(callerAddress(tlsSocket(context)) ?? '0.0.0.0'),
        requestId: state.requestId,
      },
      parameters,
      query: readQuery(context.querystring, operation.query),
      ...(await bodyOf(req, operation)),
      header: (name) => req.headersDistinct[name] ?? [],
      unchanged: (validator) => matchesNone(req.headers['if-none-match'], validator),
    };
    await send(context, await operation.handle(call, services), services);
  };
}

function noSuchPath(path: string): Problem {
  const meant = meantPath(path);
  return new Problem('not_found', {
    detail: meant === null ? 'There is no such path.' : `There is no such path. You probably mean ${meant}`,
  });
}

async function bodyOf(request: MachineContext['req'], { body }: Operation): Promise<Pick<Call, 'body' | 'document'>> {
  if (body === 'pkcs10') return { body: {}, document: await readPkcs10(request) };
  if (body) return { body: await readBody(request, body), document: noBytes };
  refuseBody(request);
  return { body: {}, document: noBytes };
}

function checkAccess({ scopes, gated }: Operation, client: Call['client']): void {
  if (scopes.length > 0 && !scopes.some((scope) => client.scopes.includes(scope))) {
    throw scopeRequired(scopes, 'client');
  }
  if (gated && client.environment === 'production' && !client.productionDataEnabled) throw new Problem('production_data_disabled');
}

async function send(context: MachineContext, answer: Answer, { pool }: Services): Promise<void> {
  if (context.headerSent) return;
  if ('mediaType' in answer) {
    sendDocument(context, answer);
    return;
  }
  const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = context.req.headers;
  if ('notModified' in answer) {
    const etag = unchangedEtag(ifNoneMatch, answer.etag, wishedCoding(acceptEncoding).coding);
    context.set({ ...conditional, ETag: etag, Vary: 'Accept-Encoding' });
    context.status = 304;
    return;
  }
  if ('page' in answer && answer.page) context.state.page = answer.page;
  const { body } = answer;
  const pooled = typeof body === 'object' && 'pooled' in body ? body : null;
  const whole = pooled?.bytes ?? Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const { bytes, coding } = await encodeFor(acceptEncoding, whole);
  // Compressed bytes are others, so the connection does not need these.
  if (pooled && coding !== null) pool.giveBack(pooled.pooled);
  // The time of the request may have run out meanwhile.
  if (context.headerSent) return;
  context.status = 200;
  context.set({ 'Content-Type': 'application/json', Vary: 'Accept-Encoding', ...(coding !== null && { 'Content-Encoding': coding }) });
  if ('etag' in answer) context.set({ ...conditional, ETag: codedEtag(answer.etag, coding) });
  context.body = bytes;
  if (!pooled || coding !== null) return;
  // The connection needs the bytes until `finish`. After an abort, the buffer is left to the garbage collector.
  context.res.once('finish', () => pool.giveBack(pooled.pooled));
  // Headers that are sent first leave the body as a single write, which TLS encrypts in place. Sent together, both would be copied first.
  if (context.method === 'GET') context.flushHeaders();
}

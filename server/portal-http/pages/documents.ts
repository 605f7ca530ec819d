import Router from '@koa/router';
import type { Context } from 'koa';
import { Authority } from '../../domain/certificate/Authority.ts';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { errorCatalogue, type ErrorCode } from '../../domain/shared/errorCatalogue.ts';
import { securityTxt, securityTxtPath } from '../../platform/http/securityTxt.ts';
import { machineContractReader } from './machineContract.ts';
import type { PortalDependencies } from '../portalDependencies.ts';
import { problemPage } from './problemPage.ts';
import { readsPages } from '../readsPages.ts';
import { newNonce, pagePolicy } from '../securityHeaders.ts';
import { sendDocument } from '../sendDocument.ts';

/** The public documents: the machine contract, the description of the webhooks, the authorities' certificates, the problem pages, and whom to tell about a vulnerability. */
export function documents(dependencies: PortalDependencies): Router {
  const { orm, clock, machineApiCa } = dependencies;
  const router = new Router();
  const contract = machineContractReader();
  router.get('/openapi.yaml', async (ctx) => {
    await sendPublic(ctx, 'application/yaml', (await contract(dependencies.facts())).yaml);
  });
  router.get('/openapi.json', async (ctx) => {
    await sendPublic(ctx, 'application/json', (await contract(dependencies.facts())).json);
  });
  router.get('/asyncapi.yaml', async (ctx) => {
    await sendPublic(ctx, 'application/yaml', (await contract(dependencies.facts())).webhooks.yaml);
  });
  router.get('/asyncapi.json', async (ctx) => {
    await sendPublic(ctx, 'application/json', (await contract(dependencies.facts())).webhooks.json);
  });
  router.get(securityTxtPath, (ctx) => {
    const { supportContact, portalUrl, machineApiUrl } = dependencies.facts();
    ctx.set('Cache-Control', 'public, max-age=300');
    const body = securityTxt({ contact: supportContact, origins: [portalUrl, new URL(machineApiUrl).origin] }, clock.now());
    return sendDocument(ctx, { type: 'text/plain; charset=utf-8', body });
  });
  router.get('/ca/:id.pem', async (ctx) => {
    const id = ctx.params['id'] ?? '';
    const authority = /^[0-9a-z-]+$/.test(id) ? await orm.em.fork().findOne(Authority, { id }, { fields: ['certificatePem'] }) : null;
    if (!authority) throw new DomainError('not_found', { detail: 'There is no such certificate authority.' });
    await sendDocument(ctx, { type: 'application/pem-certificate-chain', body: authority.certificatePem });
  });
  router.get('/problems/:code', async (ctx, next) => {
    const code = ctx.params['code'] ?? '';
    ctx.vary('Accept');
    // Browsers get the page of the portal, with everything around it.
    if (!isErrorCode(code) || readsPages(ctx)) return next();
    const { problems } = await contract(dependencies.facts());
    ctx.set({ 'Content-Security-Policy': pagePolicy(newNonce()), 'Cache-Control': 'public, max-age=300' });
    return sendDocument(ctx, { type: 'text/html; charset=utf-8', body: problemPage(code, problems.get(code)) });
  });
  if (machineApiCa !== undefined) {
    router.get('/dev/machine-api-ca.pem', (ctx) => {
      ctx.attachment('ca.pem');
      return sendDocument(ctx, { type: 'application/pem-certificate-chain', body: machineApiCa });
    });
  }
  return router;
}

/** Sends a document that tools in any page may read and revalidate. */
function sendPublic(ctx: Context, type: string, { text: body, etag }: { text: string; etag: string }): Promise<void> {
  ctx.set({
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': 'public, max-age=300',
  });
  return sendDocument(ctx, { type, body, etag });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}

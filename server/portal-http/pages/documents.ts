import Router from '@koa/router';
import type { Context } from 'koa';
import { Authority } from '../../domain/certificate/Authority.ts';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { errorCatalogue, type ErrorCode } from '../../domain/shared/errorCatalogue.ts';
import { securityTxt, securityTxtPath } from '../../platform/http/securityTxt.ts';
import { answerUnchanged } from '../answerUnchanged.ts';
import { machineContractReader } from './machineContract.ts';
import type { PortalDependencies } from '../portalDependencies.ts';
import { problemPage } from './problemPage.ts';
import { newNonce, pagePolicy } from '../securityHeaders.ts';

/** The public documents: the machine contract, the description of the webhooks, the authorities' certificates, the problem pages, and whom to tell about a vulnerability. */
export function documents(dependencies: PortalDependencies): Router {
  const { orm, clock, machineApiCa } = dependencies;
  const router = new Router();
  const contract = machineContractReader();
  router.get('/openapi.yaml', async (ctx) => {
    sendPublic(ctx, 'application/yaml', (await contract(dependencies.facts())).yaml);
  });
  router.get('/openapi.json', async (ctx) => {
    sendPublic(ctx, 'application/json', (await contract(dependencies.facts())).json);
  });
  router.get('/asyncapi.yaml', async (ctx) => {
    sendPublic(ctx, 'application/yaml', (await contract(dependencies.facts())).webhooks.yaml);
  });
  router.get('/asyncapi.json', async (ctx) => {
    sendPublic(ctx, 'application/json', (await contract(dependencies.facts())).webhooks.json);
  });
  router.get(securityTxtPath, (ctx) => {
    const { supportContact, portalUrl, machineApiUrl } = dependencies.facts();
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = securityTxt({ contact: supportContact, origins: [portalUrl, new URL(machineApiUrl).origin] }, clock.now());
  });
  router.get('/ca/:id.pem', async (ctx) => {
    const id = ctx.params['id'] ?? '';
    const authority = /^[0-9a-z-]+$/.test(id) ? await orm.em.fork().findOne(Authority, { id }, { fields: ['certificatePem'] }) : null;
    if (!authority) throw new DomainError('not_found', { detail: 'There is no such certificate authority.' });
    ctx.type = 'application/pem-certificate-chain';
    ctx.body = authority.certificatePem;
  });
  router.get('/problems/:code', async (ctx, next) => {
    const code = ctx.params['code'] ?? '';
    if (!isErrorCode(code)) return next();
    const { problems } = await contract(dependencies.facts());
    ctx.set({ 'Content-Security-Policy': pagePolicy(newNonce()), 'Cache-Control': 'public, max-age=300' });
    ctx.type = 'html';
    ctx.body = problemPage(code, problems.get(code));
    return undefined;
  });
  if (machineApiCa !== undefined) {
    router.get('/dev/machine-api-ca.pem', (ctx) => {
      ctx.type = 'application/pem-certificate-chain';
      ctx.attachment('ca.pem');
      ctx.body = machineApiCa;
    });
  }
  return router;
}

/** Sends a document that tools in any page may read and revalidate. */
function sendPublic(ctx: Context, type: string, { text, etag }: { text: string; etag: string }): void {
  ctx.set({
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': 'public, max-age=300',
  });
  ctx.type = type;
  if (!answerUnchanged(ctx, etag)) ctx.body = text;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}

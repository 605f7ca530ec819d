import { until } from '../run/until.ts';
import { partsOf, type startMailServer } from './mailServer.ts';
import { PortalClient } from './portalClient.ts';

type Registering = { readonly portalUrl: string; readonly mails: Awaited<ReturnType<typeof startMailServer>>; readonly email: string };

/** Registers with a portal that runs in a process of its own, by the link in its first mail. */
export async function registerByMail({ portalUrl, mails, email }: Registering): Promise<PortalClient> {
  const client = new PortalClient({ portalUrl, work: () => Promise.resolve(), rows: () => Promise.reject(new Error('No database.')) });
  client.email = email;
  await client.must('requestRegistration', { input: { email } });
  const text = await until('The first mail', async () => {
    const mail = mails.received.find(({ to }) => to.includes(email));
    return mail && partsOf(mail.raw)['text/plain'];
  });
  await client.must('confirmRegistration', { input: { token: /#token=([\w-]+)/.exec(text)?.[1] } });
  const { data, errors } = await client.enrol(client.passkey.create(await client.creationOptions(), client.origin));
  if (!data) throw new Error(JSON.stringify(errors));
  return client;
}

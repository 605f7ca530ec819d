import type { Context } from './context.ts';

export async function capabilities(context: Context): Promise<void> {
  context.print(await (await context.client()).capabilities(context));
}

export async function get(context: Context): Promise<void> {
  const id = context.word(0, 'The ID');
  const client = await context.client();
  context.print(
    (await (id.startsWith('veh_') ? client.vehicle(id, { signal: context.signal }) : client.order(id, { signal: context.signal }))).value,
  );
}

export async function history(context: Context): Promise<void> {
  const id = context.word(0, 'The ID');
  for await (const item of (await context.client()).history(id, context)) {
    const changes = item.changes.map(({ path, from, to }) => `${path}: ${shown(from)} → ${shown(to)}`);
    context.print(item, `${item.occurred_at}  ${changes.join(', ')}`);
  }
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : value === undefined ? '–' : JSON.stringify(value));

export async function statistics(context: Context): Promise<void> {
  context.print((await (await context.client()).statistics({ signal: context.signal })).value);
}

export async function redeem(context: Context): Promise<void> {
  const code = await context.secret('Link code: ');
  const redeemed = await (await context.client()).redeemLinkCode(code, context);
  const { connection_id: connectionId, resources } = redeemed;
  context.print(redeemed, `${connectionId}\n${resources.map(({ type, id }) => `  ${type} ${id}`).join('\n')}`);
}

import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { expect, test } from '@jest/globals';
import { HandshakeInspection } from '../../../server/platform/handshake/HandshakeInspection.ts';
import { InspectedConnection } from '../../../server/platform/handshake/InspectedConnection.ts';

test('what comes after TLS has been destroyed is not handed on, because Node would throw', async () => {
  const socket = new Socket();
  const connection = new InspectedConnection(socket, new HandshakeInspection('client', 1_024), () => {});
  const read: string[] = [];
  connection.on('data', (chunk: Buffer) => read.push(chunk.toString()));
  connection.complete();
  await turn();
  socket.emit('data', Buffer.from('first'));
  connection.secured = new TLSSocket(new Socket());
  connection.secured.destroy();
  socket.emit('data', Buffer.from('second'));
  await turn();
  expect(read).toEqual(['first']);
  expect(connection.destroyed).toBe(true);
});

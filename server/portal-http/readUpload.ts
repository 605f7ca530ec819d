import type { IncomingMessage } from 'node:http';
import { DomainError } from '../domain/shared/DomainError.ts';

/**
 * Reads a request's body of at most `most` bytes. A larger one is refused when its length is announced or as soon as it is passed, and what
 * still comes is thrown away, so that the sender gets to read the answer; who goes on sending is cut off. Errors: content_too_large.
 */
export function readUpload(request: IncomingMessage, most: number, detail: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let refused = false;
    const refuse = () => {
      refused = true;
      chunks.length = 0;
      reject(new DomainError('content_too_large', { detail }));
    };
    if (Number(request.headers['content-length'] ?? 0) > most) refuse();
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > 4 * most) request.destroy();
      else if (refused) return;
      else if (received > most) refuse();
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    // Nobody reads the answer any more.
    request.on('close', () => reject(new DomainError('invalid_request', { detail: 'The upload was broken off.' })));
    request.on('error', reject);
  });
}

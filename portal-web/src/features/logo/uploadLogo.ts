/** 2 MiB, the largest file that the service accepts. */
const largestBytes = 2 * 1024 * 1024;

type Uploaded = { readonly problem: string | null; readonly signedOut: boolean };

/**
 * Uploads a picture unchanged; the service checks its content. `problem` is what the reader is told, or null if the picture is now the
 * logo.
 */
export async function uploadLogo(slug: string, file: Blob): Promise<Uploaded> {
  const problem = complaint(file);
  if (problem !== null) return { problem, signedOut: false };
  try {
    const response = await fetch(`/integrations/${slug}/logo`, {
      method: 'POST',
      body: file,
      credentials: 'same-origin',
      headers: { 'Content-Type': 'application/octet-stream' },
    });
    return { problem: response.ok ? null : await wordsOf(response), signedOut: response.status === 401 };
  } catch {
    return { problem: 'The portal did not answer. Check your connection, then try again.', signedOut: false };
  }
}

/** What is obviously wrong with a file before it is sent, or null. */
function complaint({ size }: Blob): string | null {
  if (size === 0) return 'The file is empty. Choose a PNG, JPEG or WebP image.';
  if (size > largestBytes) return 'The file is larger than 2 MiB (2,097,152 bytes). Reduce its dimensions or compress it more.';
  return null;
}

async function wordsOf(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => ({}))) as { detail?: unknown };
  const known = typeof answer.detail === 'string' && response.status < 500 ? answer.detail : null;
  if (response.status === 503) return 'Many logos are being uploaded right now. Try again in a few seconds.';
  return known ?? 'Something went wrong on our side. Try again, or come back in a few minutes.';
}

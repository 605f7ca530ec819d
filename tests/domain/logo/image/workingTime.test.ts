import { expect, test } from '@jest/globals';
import { inspectImage } from '../../../../server/domain/logo/image/inspectImage.ts';
import { logoLimits } from '../../../../server/domain/logo/image/logoLimits.ts';
import { makeRenditions } from '../../../../server/domain/logo/image/makeRenditions.ts';
import { WorkingTime } from '../../../../server/domain/logo/image/WorkingTime.ts';
import { picture } from '../../../support/logo-files/pictures.ts';

/** A time that ends as the test says. */
function testTime() {
  const hungUp = new AbortController();
  const clock = { elapsed: 0 };
  return { hungUp, clock, time: new WorkingTime(hungUp.signal, () => clock.elapsed) };
}
const ended = { code: 'invalid_request', message: expect.stringContaining('The connection ended') };

test('one time limit holds for inspection and decoding together', async () => {
  const { clock, time } = testTime();
  const image = await inspectImage(await picture(300).png().toBuffer(), time);
  clock.elapsed = logoLimits.logoWorkingTime - 1500;
  expect(time.secondsLeft).toBe(2);
  await expect(makeRenditions(image, time)).resolves.toMatchObject({ width: 300 });
  clock.elapsed = logoLimits.logoWorkingTime;
  await expect(makeRenditions(image, time)).rejects.toMatchObject({ reason: 'tooSlow' });
  await expect(inspectImage(await picture(300).png().toBuffer(), time)).rejects.toMatchObject({ reason: 'tooSlow' });
});

test('nothing more is unpacked or decoded once the connection has ended', async () => {
  const bytes = await picture(300).png().toBuffer();
  const { hungUp, time } = testTime();
  const image = await inspectImage(bytes, time);
  hungUp.abort();
  await expect(inspectImage(bytes, time)).rejects.toMatchObject(ended);
  await expect(makeRenditions(image, time)).rejects.toMatchObject(ended);
});

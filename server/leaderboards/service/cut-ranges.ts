import { type Database, transact, type Transaction } from "../../../db/client.ts";
import { cutsOf, isSingle, rangesOf, RANGE_SIZE, reshaped, tooManyBlocks, withCuts } from "../ranges.ts";
import { countPieces, lockRangesExclusive, loadBlocks, replaceBlocks, sampleRange, sizeOf, type StoredBlock } from "../store/blocks.ts";

/**
 * Cuts the full ranges of a period, so that a rank is never counted among many scores. Writers of scores wait meanwhile: a few
 * milliseconds, as ranges are cut when they are just full.
 */
export function cutRanges(database: Database, periodId: number): Promise<void> {
  return transact(database, async (tx) => {
    await lockRangesExclusive(tx, periodId);
    for (const block of await loadBlocks(tx, periodId, true)) {
      await replaceBlocks(tx, periodId, [block.block], reshaped([await cutBlock(tx, periodId, block)]));
    }
    const { blocks, scores } = await sizeOf(tx, periodId);
    if (blocks > tooManyBlocks(scores)) {
      const all = await loadBlocks(tx, periodId, false);
      await replaceBlocks(
        tx,
        periodId,
        all.map(({ block }) => block),
        reshaped(all),
      );
    }
  });
}

/** From the last range to the first, so that the indexes before it stay valid. */
async function cutBlock(tx: Transaction, periodId: number, block: StoredBlock): Promise<StoredBlock> {
  let cut = block;
  for (const [index, range] of [...rangesOf(block).entries()].reverse()) {
    const isFull = block.counts.some((lane) => (lane[index] ?? 0) > RANGE_SIZE);
    if (!isFull || isSingle(range)) continue;
    const cuts = cutsOf(range, await sampleRange(tx, periodId, range));
    if (cuts.length > 0) cut = { ...cut, ...withCuts(cut, index, cuts, await countPieces(tx, periodId, range, cuts)) };
  }
  return cut;
}

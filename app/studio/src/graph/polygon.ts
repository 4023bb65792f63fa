export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Return whether a point lies within a polygon, whose last point is joined to its first. */
export function isWithin({ x, y }: Point, polygon: readonly Point[]): boolean {
  let isInside = false;
  polygon.forEach((one, place) => {
    const other = polygon.at(place - 1) ?? one;
    const isCrossed = one.y > y !== other.y > y;
    if (isCrossed && x < ((other.x - one.x) * (y - one.y)) / (other.y - one.y) + one.x) isInside = !isInside;
  });
  return isInside;
}

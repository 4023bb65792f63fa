WITH part
LIMIT $limit
WITH collect(part) AS parts
UNWIND range(0, size(parts) - 1) AS place
WITH parts[place] AS part, reduce(bytes = 0, earlier IN parts[..place] | bytes + coalesce(earlier.size, 0)) AS before
WHERE before < $most_bytes

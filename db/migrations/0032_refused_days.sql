-- small: usage_days a row a key, tool and day, of which few have refused calls
-- A migration of its own, because it reads all roll-ups: it locks only the rows that it changes.
-- Days before this release get the failures that were not the tool's, of which there are few.
UPDATE usage_days d SET refused = r.refused
FROM (
  SELECT account_id, date_trunc('day', hour, 'UTC') AS day, key_id, tool, sum(refused) AS refused
  FROM usage_rollups WHERE refused > 0
    AND hour < (SELECT kept_from FROM retention_marks WHERE what = 'usage_days') GROUP BY 1, 2, 3, 4
) r WHERE d.account_id = r.account_id AND d.day = r.day AND d.key_id = r.key_id AND d.tool = r.tool;

REMOVE memory:InGerman:InFrench:InSpanish:InPortuguese
FOREACH (_ IN CASE memory.language WHEN 'de' THEN [1] ELSE [] END | SET memory:InGerman)
FOREACH (_ IN CASE memory.language WHEN 'fr' THEN [1] ELSE [] END | SET memory:InFrench)
FOREACH (_ IN CASE memory.language WHEN 'es' THEN [1] ELSE [] END | SET memory:InSpanish)
FOREACH (_ IN CASE memory.language WHEN 'pt' THEN [1] ELSE [] END | SET memory:InPortuguese)

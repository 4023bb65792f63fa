"""Words that tell a name from what only looks like one. English, as the rules are; other languages get fewer names."""

from graph.core.text.language import STOP_WORDS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


COMMON_WORDS = STOP_WORDS | _words(
    """
    a about above after again against ago all almost alone along already also although always am among an and another
    any anybody anyone anything anyway are around as ask at away back be because been before being below best better
    between both but by call came can cannot could day did do does done down during each early either else enough even
    ever every everybody everyone everything few finally find first for found from get give go going gone good got had
    has have having he hello her here hers herself hi him himself his hope how however i if in indeed instead into is
    it its itself just keep kind know last lately later least less let like little long look lot love made make many
    mark may maybe me mean might mine more most much must my myself need neither never new next no nobody none nor not
    note nothing now of off often oh ok okay old on once one only or other others our ours out over own people perhaps
    please quite rather really right said same saw say see seem set she should show since so some somebody someone
    something sometimes soon still such sure take than thank thanks that the their theirs them then there therefore
    these they thing things think this those though through thus time to today together told tomorrow tonight too took
    two under until up upon us use used using usually very via want was way we well went were what whatever when
    whenever where wherever whether which while who whoever whole whom whose why will with within without wonder work
    would yes yesterday yet you your yours yourself
    """
)
"""Words that are a name only where they are spelled exactly like one: an entity "IT" is not meant by "it"."""

NO_NAMES = COMMON_WORDS | _words(
    """
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun
    january february march april june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec spring summer autumn fall winter
    christmas easter thanksgiving halloween hanukkah ramadan
    wow hey yeah yep nope ha haha hahaha hmm ah aw aww ooh ugh whoa yay oops bye hooray congrats congratulations cheers
    omg lol btw fyi imo imho asap tbh idk rofl lmao ps nb eta tbd todo fixme wip aka etc ie eg vs
    mr mrs ms miss mx dr prof sir madam mom mum dad mommy daddy mama papa grandma grandpa granny sis bro auntie uncle
    god goodness user assistant system tool human bot ai admin customer client
    i'm i'd i'll i've im ive id it's that's there's what's let's who's here's don't can't won't didn't doesn't isn't
    you're we're they're you've we've they've he's she's couldn't wouldn't shouldn't wasn't weren't haven't hasn't
    am pm utc gmt cet est pst bc ad no. nr tv pc ui ux id ids url uri http https www ok'd n/a na
    internet web online offline english french german spanish italian chinese japanese korean russian portuguese dutch
    american british european asian african indian mexican canadian australian
    awesome great nice cool amazing absolutely actually additionally agreed definitely exactly totally unfortunately
    fortunately luckily hopefully honestly basically literally obviously seriously recently currently especially
    meanwhile moreover furthermore otherwise besides overall
    always remember remind prefer prefers avoid never decided decision fixed added removed updated changed run running
    uses used using runs ran likes liked loves loved wants wanted needs needed has works worked lives lived plans
    planned asked ask tells tell met meet meets visited visit visits moved move moves deploy deployed install installed
    started start stopped stop bought buy sold sell wrote write writes built build builds made makes
    true false null none yes no error warning info debug important update summary question answer conclusion example
    step steps section chapter figure table part version phase task tasks item items option options
    """
)
"""Words that are no name by themselves, and no beginning or end of one."""

HONORIFICS = _words("mr mrs ms miss mx dr prof professor sir madam captain president senator judge")
"""What stands before the name of a person and is no part of it."""

ORGANISATION_ENDINGS = _words(
    """
    inc corp corporation llc ltd limited gmbh ag plc co company group holdings labs laboratories university college
    institute foundation bank airlines airways hospital ministry association committee council museum agency
    """
)
"""Last words of organisations' names."""

PARTICLES = _words(
    "of de da di del della der den van von und y la le les du dos das al bin ibn for the and &"
)
"""Words in lower case that stand inside names."""
NAME_PARTICLES = PARTICLES - _words("for the and la le les y al")
"""Those of them that join two capitalised words by themselves: "Bank of America", "Ludwig van Beethoven"."""

FILE_ENDINGS = _words(
    """
    bash bat bib c cc cfg clj cmake conf cpp cs css csv cypher dart db diff docx dockerfile drawio eml env ex exs fs gif
    go gql gradle graphql groovy h hcl hpp html ico ini ipynb jar java jpeg jpg js json jsonl jsx kt kts less lock log
    lua m md mdx mjs mk mm mov mp3 mp4 ods odt onnx parquet patch pdf php pl png pptx proto ps1 py pyi r rb rs rst sass
    scala scss sh sln so sql sqlite svelte svg swift tar tex tf toml ts tsx ttl txt vue wasm wav xls xlsx xml yaml yml
    zip zsh
    """
)
"""Endings by which a word is the name of a file."""

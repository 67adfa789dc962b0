"""Function words by language: what a question says without asking for it.

They serve two purposes: the lexical ranking ignores those of the question's language, and their
presence tells which language a text is in. Words that also carry content ("will", "may" as a
month) stay in where they are far more often function words.
"""

from __future__ import annotations

_LISTS = {
    "en": """
        a about above after again against all also although am an and any are aren't as at be
        because been before being below between both but by can can't could couldn't did
        didn't do does doesn't doing don't down during each either few for from further had
        has hasn't have haven't having he her here hers herself him himself his how however i
        if in into is isn't it it's its itself just may me might more most must my myself
        neither no nor not of off on once only onto or other our ours ourselves out over own
        per please shall she should so some such tell than that that's the their theirs them
        themselves then there these they this those through thus to too under until up upon us
        very via was wasn't we were weren't what what's when where whether which while who
        whom whose why will with within without would yet you your yours yourself
    """,
    "de": """
        aber alle allem allen aller alles als also am an ander andere anderem anderen anderer
        anderes auch auf aus bei beim bin bis bist bitte da damit dann das dass daß dein deine
        dem den denn der des dessen desselben dich die dies diese dieselbe diesem diesen
        dieser dieses dir doch dort du durch ein eine einem einen einer eines einige einigen
        er es etwas euch euer für gegen gewesen gibt hab habe haben hat hatte hatten hier hin
        hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem
        jeden jeder jedes jene jener jenes jetzt kann kein keine keinem keinen keiner können
        konnte könnte man manche mein meine mich mir mit muss müssen nach nicht nichts noch
        nun nur ob oder ohne sehr sein seine seinem seinen seiner seit selbst sich sie sind so
        solche solcher soll sollte sondern sonst über um und uns unser unsere unter viel vom
        von vor war waren warum was weil welche welchem welchen welcher welches wem wen wenn
        wer werde werden weshalb wessen wie wieder wieso wieviel viele will wir wird wirst wo
        wobei wodurch wofür woher wohin womit worden wurde wurden während zu zum zur zwar
        zwischen
    """,
    "fr": """
        à afin ai aie ainsi alors après as au aucun aucune aussi autre autres aux avait avant
        avec avez avoir avons c'est car ce ceci cela celle celles celui ces cet cette ceux
        chaque chez ci comme comment d'un d'une dans de depuis des donc dont du duquel elle
        elles en encore entre es est et étaient était été êtes être eu eux fait faut il ils je
        l'on la là laquelle le lequel les lesquelles lesquels leur leurs lors lorsque lui ma
        mais me même mêmes mes moi moins mon n'est ne ni non nos notre nous on ont ou où par
        parce pas pendant peut peuvent plus pour pourquoi qu'est qu'il qu'elle quand que quel
        quelle quelles quels qui quoi sa sans se selon sera ses seulement si sien soi sommes
        son sont sous suis sur ta te tes toi ton tous tout toute toutes très tu un une vers
        voici voilà vos votre vous y
    """,
    "es": """
        a al algo algún alguna algunas alguno algunos ante antes aquel aquella aquellas
        aquello aquellos aquí así aún aunque bajo cada como cómo con contra cual cuál cuáles
        cualquier cuando cuándo cuanto cuánta cuántas cuánto cuántos de del desde donde dónde
        dos durante e el él ella ellas ello ellos en entre era eran eres es esa esas ese eso
        esos esta está estaba están estas este esto estos fue fueron ha había han has hasta
        hay la las le les lo los más me mi mientras mis muy nada ni no nos nosotros nuestra
        nuestro o os otra otras otro otros para pero poco por porque pues que qué quien quién
        quienes quiénes se sea según ser si sí sido sin sino sobre son su sus también tanto te
        tiene tienen toda todas todo todos tras tu tú tus un una unas uno unos usted ustedes y
        ya yo
    """,
    "pt": """
        a à ainda algo algum alguma algumas alguns ante antes ao aos apenas aquela aquelas
        aquele aqueles aquilo as às até através cada com como contra cuja cujo da das de dela
        delas dele deles depois desde dessa desse desta deste do dos durante e é ela elas ele
        eles em enquanto entre era eram essa essas esse esses esta está estão estas este estes
        eu foi foram há isso isto já lhe lhes mais mas me mesmo meu minha muito na não nas nem
        nessa nesse nesta neste no nos nós nossa nosso num numa o onde os ou outra outras
        outro outros para pela pelas pelo pelos por porque porquê qual quais quando quanta
        quantas quanto quantos que quê quem se seja sem sempre ser seu seus sob sobre sua suas
        são também te tem têm teu todo todos tua tudo um uma umas uns você vocês
    """,
    "it": """
        a ad agli ai al alla alle allo anche ancora avere aveva c'è che chi ci cioè come con
        contro cosa cui da dagli dai dal dalla dalle dallo degli dei del dell della delle
        dello dentro di dopo dove durante e è ed era erano essere fra fu gli ha hanno ho i il
        in io l'ha la le lei li lo loro lui ma me mi mia mio molto ne negli nei nel nella
        nelle nello noi non nostra nostro o ogni oppure per perché perciò più poi prima qual
        quale quali quando quanta quante quanti quanto quella quelle quelli quello questa
        queste questi questo qui se sei senza si sia siamo sono sopra sotto sta stata stato su
        sua sue sugli sui sul sulla sulle suo suoi tra tu tutta tutte tutti tutto un una uno
        vi voi
    """,
    "nl": """
        aan al alle alleen als altijd andere ben bent bij daar dan dat de der deze die dit
        doch doen door dus een eens en er ergens ge geen had hadden heb hebben heeft hem het
        hier hij hoe hoeveel hun iets ik in is ja je kan kon kunnen maar me meer men met mij
        mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen
        toch toen tot u uit uw van veel voor waar waarom wanneer want waren was wat we wel
        welke werd wezen wie wij wil worden wordt zal ze zei zelf zich zij zijn zo zonder zou
    """,
    "sv": """
        alla allt att av blev bli blir de dem den denna deras dess det detta dig din dina du
        där då efter ej eller en er ett från för ha hade han har henne hennes hon honom hur
        här i icke ingen inom inte jag ju kan kunde man med mellan men mig min mitt mot mycket
        ni nu när någon något några och om oss på samma sedan sig sin sitt ska skall skulle
        som så till under upp ut utan vad var vara varför varit vart vem vi vid vilka vilken
        vilket vår är över
    """,
    "da": """
        af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din
        disse dog du efter eller en end er et for fra ham han hans har havde have hende hendes
        her hos hun hvad hvem hvilke hvilken hvis hvor hvordan hvorfor hvornår i ikke ind jeg
        jer kan kun kunne man mange med meget men mig min mit mod ned noget nogle nu når og
        også om op os over på selv sig sin sit skal skulle som sådan til ud under var vi vil
        ville vor være været
    """,
    "no": """
        alle at av bare begge ble blei bli blir da de dei dem den denne der deres det dette di
        din disse du eller en enn er et etter for fordi fra få før ha hadde han hans har
        hennes her hun hva hvem hver hvilken hvis hvor hvordan hvorfor i ikke ingen inn jeg
        kan kom kun kunne man mange med meg mellom men mer mitt mot når noe noen og også om
        opp oss over på samme seg selv sin skal skulle slik som så til uten var vi vil ville
        vår være vært å
    """,
    "fi": """
        että hän he ja jo joka jos joten kanssa koska kuin kuinka kun mikä miksi milloin missä
        mitä mutta myös ne niin nyt oli olla on ovat sekä se sen sitä tai tämä vain vaan voi
        ei en eivät
    """,
    "pl": """
        a aby ale bez bo być był była było były ci co czy dla do gdy gdzie go i ich ile im ja
        jak jaka jaki jakie jako jego jej jest już każdy kiedy kto która które którego której
        który którzy lub ma mi może na nad nie nich niż o od on ona one oni oraz po pod przed
        przez przy się są ta tak także tam te tego tej ten to tu tych tylko tym u w we
        wszystko z za ze że dlaczego
    """,
    "tr": """
        acaba ama ancak bana bazı belki ben bir biri biz bu çok çünkü da daha de değil diye en
        gibi hangi hem hep her için ile ise kadar ki kim mı mi mu mü nasıl ne neden nerede
        niçin o olan olarak oldu on onlar onun sen siz şu tüm ve veya ya yani
    """,
    "ru": """
        а без более больше будет будто бы был была были было быть в вам вас вдруг ведь во вот
        все всё всего всех вы где да даже для до его ее её если есть еще ещё же за зачем здесь
        и из или им их к как какая какие какой какое когда кто куда ли либо между меня мне
        может мой мы на над надо нас не него нее ней нет ни них но ну о об один он она они оно
        от откуда перед по под после потому почему при про раз с сам свой себя сейчас сколько
        со так такой там тебя тем теперь то тогда того тоже только том тот тут ты у уже хоть
        чего чей чем что чтобы чье чья эта эти это этой этом этот эту я является
    """,
    "ar": """
        في من على إلى الى عن مع هذا هذه ذلك تلك التي الذي الذين اللذان كان كانت يكون تكون أن
        إن ان لا ما ماذا متى أين اين كيف كم لماذا هل أو او ثم قد لقد كل بعض بين بعد قبل عند
        حتى إذا اذا لكن هو هي هم أي اي أيضا و ف ب ل ك منذ خلال حيث ليس ليست لم لن فيها فيه
        منها منه عليها عليه بها به لها له كما مثل غير أحد من
    """,
    "he": """
        של את על זה זו זאת הוא היא הם הן אני אתה אנחנו לא כן גם או אם כי מה מי איך איפה מתי
        למה כמה עם אל מן בין היה היתה יש אין אבל רק כל אשר ש ה ו ב ל כ מ
    """,
    "zh": """
        的 了 是 在 和 与 及 或 有 个 这 那 哪 哪个 哪些 哪里 什么 什麼 谁 誰 为 為 为什么
        怎么 怎样 如何 何时 何 多少 几 吗 呢 吧 啊 也 都 就 而 但 被 把 对 于 之 其 此 从 到
        由 以 它 他 她 们 我 你 您 请
    """,
    "ja": """
        の に は を た が で て と し れ さ ある いる も する から な こと として い や など
        なっ ない この ため その あっ よう また もの という あり まで られ なる へ か だ これ
        によって により おり より による ず なり られる において なかっ なく しかし について
        せ だっ できる それ う ので なお のみ でき き つ における および いう さらに でも ら
        たり その他 に関する たち ます ん なら に対して 何 誰 どこ いつ なぜ どの どう
        どのように ですか です
    """,
}

STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split()) for language, words in _LISTS.items()
}
"""Casefolded function words by ISO 639-1 code."""
